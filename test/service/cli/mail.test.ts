import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { systemClock } from "../../../src/platform/clock.ts";
import type { Context } from "../../../src/platform/context.ts";
import { queueMail } from "../../../src/platform/mail/outbox.ts";
import { openTestContext } from "../../support/context.ts";
import { createTestDatabase, type TestDatabase } from "../../support/database.ts";
import { MAIN, runTdf } from "../../support/processes/command.ts";
import { TEST_SECRETS_KEY } from "../../support/secrets.ts";

let database: TestDatabase;
let context: Context;
let dataDir: string;
let env: NodeJS.ProcessEnv;

beforeAll(async () => {
  database = await createTestDatabase();
  context = await openTestContext(database.url, systemClock);
  dataDir = await mkdtemp(path.join(tmpdir(), "tdf-cli-mail-"));
  env = { ...process.env, DATABASE_URL: database.url, DATA_DIR: dataDir, PORT: "0" };
  env.SECRETS_KEY = TEST_SECRETS_KEY;
});
afterAll(async () => {
  await context.db.close();
  await database.drop();
  await rm(dataDir, { recursive: true });
});

const status = async (...flags: string[]) => (await runTdf(env, "status", ...flags)).out;

it("a mail waits, as the status shows, until the service runs and sends it", async () => {
  const mail = { recipient: "ada@freight.example", subject: "Hello", body: "A line.\n" };
  const now = systemClock.now();
  await queueMail(context.db.pool, { purpose: "test", ...mail, now });
  expect(await status("--all")).toContain(
    `Mails: 1 waiting (since ${now.toISOString()}), 0 given up in 90 days.`,
  );
  const shorter = await runTdf({ ...env, RETENTION_MAILS_DAYS: "35" }, "status", "--all");
  expect(shorter.out).toContain("0 given up in 35 days.");

  const service = spawn(process.execPath, [MAIN, "serve"], { env, stdio: "ignore" });
  const files = () => readdir(path.join(dataDir, "mail")).catch(() => []);
  await vi.waitFor(async () => expect(await files()).toEqual([expect.stringMatching(/\.eml$/)]), 50_000);
  service.kill("SIGTERM");
  expect(await once(service, "exit")).toEqual([0, null]);
  const { mails } = JSON.parse(await status("--json"));
  expect(mails).toEqual({ waiting: 0, waiting_since: null, failed: 0 });
});
