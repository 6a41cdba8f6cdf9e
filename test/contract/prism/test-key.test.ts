// The contract's cases as QA tries them with a deployment: services in processes of their own, and nothing but their address
// and a test key. None is skipped.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, describe } from "vitest";
import { SHIPPED_PLANS } from "../../../src/accounts/plans/plans.ts";
import { createTestDatabase, type TestDatabase } from "../../support/database.ts";
import { runTdf } from "../../support/processes/command.ts";
import { startTdf, type TdfProcess } from "../../support/processes/tdf-process.ts";
import { TEST_SECRETS_KEY } from "../../support/secrets.ts";
import { tryDeployment } from "./try-deployment.ts";

describe("the contract's cases with a test key", () => {
  const running: TdfProcess[] = [];
  let database: TestDatabase;
  let dataDir: string;
  afterAll(async () => {
    await Promise.all(running.map((each) => each.stop()));
    await database.drop();
    await rm(dataDir, { recursive: true, force: true });
  });

  tryDeployment("tdf_test_", async () => {
    database = await createTestDatabase();
    dataDir = await mkdtemp(path.join(tmpdir(), "tdf-test-key-"));
    const env = { DATABASE_URL: database.url, DATA_DIR: dataDir, SECRETS_KEY: TEST_SECRETS_KEY };
    const tdf = async (...words: string[]): Promise<string> => {
      const { out, err, status } = await runTdf(env, ...words);
      if (status !== 0) throw new Error(err);
      return out;
    };
    await tdf("plan", "apply", SHIPPED_PLANS);
    const opened = await tdf(
      "account",
      "create",
      "--name",
      "QA",
      "--email",
      "qa@example.com",
      "--plan",
      "starter",
      "--json",
    );
    const { id } = JSON.parse(opened) as { id: number };
    const [key = ""] = (await tdf("key", "create", "--account", String(id), "--test")).split("\n");
    const processEnv = {
      PATH: process.env.PATH,
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      PORT: "0",
      ...env,
    };
    const [serve, dispatch] = await Promise.all([
      startTdf("serve", "Serving.", processEnv),
      startTdf("dispatch", "Dispatching.", processEnv),
    ]);
    running.push(serve, dispatch);
    return { url: `http://127.0.0.1:${serve.ready.port}`, key };
  });
});
