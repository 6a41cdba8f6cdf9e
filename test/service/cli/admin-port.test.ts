import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { createTestDatabase, type TestDatabase } from "../../support/database.ts";
import { MAIN, runTdf } from "../../support/processes/command.ts";

let database: TestDatabase;
let dataDir: string;
let env: NodeJS.ProcessEnv;
let child: ChildProcess | null = null;

beforeAll(async () => {
  database = await createTestDatabase();
  dataDir = await mkdtemp(path.join(tmpdir(), "tdf-admin-"));
  const settings = { PORT: "0", ADMIN_PORT: "0", LOG_LEVEL: "info" };
  const SECRETS_KEY = randomBytes(32).toString("base64");
  env = { ...process.env, ...settings, SECRETS_KEY, DATABASE_URL: database.url, DATA_DIR: dataDir };
});
afterEach(async () => {
  if (child === null) return;
  child.kill("SIGTERM");
  expect((await once(child, "exit"))[0]).toBe(0);
  child = null;
});
afterAll(async () => {
  await database.drop();
  await rm(dataDir, { recursive: true });
});

/** Starts a command and returns the ports in its log. */
async function start(command: string, message: string): Promise<{ port: number; adminPort: number }> {
  const started = spawn(process.execPath, [MAIN, command], { env, stdio: ["ignore", "inherit", "pipe"] });
  child = started;
  for await (const line of createInterface({ input: started.stderr })) {
    const said = JSON.parse(line);
    if (said.msg === message) return said;
  }
  throw new Error(`${command} ended before it said "${message}"`);
}

async function answerOf(port: number, address: string): Promise<[number, string]> {
  const answer = await fetch(`http://127.0.0.1:${port}${address}`);
  return [answer.status, await answer.text()];
}

const notFound = [404, expect.stringContaining('"code":"not_found"')];

describe("with ADMIN_PORT", () => {
  it("serve has metrics there and not on the public port, and health on both", async () => {
    const { port, adminPort } = await start("serve", "Serving.");
    expect(await answerOf(port, "/metrics")).toEqual(notFound);
    for (const each of [port, adminPort]) {
      expect(await answerOf(each, "/healthz")).toEqual([200, '{"status":"ok"}\n']);
      expect(await answerOf(each, "/readyz")).toEqual([200, '{"status":"ready"}\n']);
    }
    expect(await answerOf(adminPort, "/metrics")).toEqual([
      200,
      expect.stringContaining("tdf_request_seconds"),
    ]);
    for (const address of ["/v1/feeds", "/docs", "/dashboard", "/remove", "/openapi.yaml", "/"])
      expect(await answerOf(adminPort, address)).toEqual(notFound);
  });

  it("dispatch serves health and metrics too", async () => {
    const { adminPort } = await start("dispatch", "Dispatching.");
    expect(await answerOf(adminPort, "/readyz")).toEqual([200, '{"status":"ready"}\n']);
    const [status, metrics] = await answerOf(adminPort, "/metrics");
    expect(status).toBe(200);
    expect(metrics).toContain("tdf_webhook_deliveries_in_flight 0");
    expect(metrics).toContain("tdf_webhook_oldest_due_seconds 0");
  });

  it.each(["start", "serve", "dispatch"])(
    "%s reports in one line that the port is taken",
    async (command) => {
      const server = createServer().listen(0, "127.0.0.1");
      await once(server, "listening");
      const { port } = server.address() as AddressInfo;
      const taken = { ...env, ADMIN_PORT: String(port), LOG_LEVEL: "error" };
      expect(await runTdf(taken, command)).toEqual({
        out: "",
        status: 2,
        err: `Port ${port} is taken by another program. Set ADMIN_PORT to a free one.\n`,
      });
      server.close();
    },
  );
});
