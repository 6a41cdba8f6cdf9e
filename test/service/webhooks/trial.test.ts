// The program of the guide "Try webhooks on your own machine", as a newcomer runs it.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { systemClock } from "../../../src/platform/clock.ts";
import { startDispatcher } from "../../../src/webhooks/dispatch/dispatcher.ts";
import { createSender } from "../../../src/webhooks/egress/sender.ts";
import { settableClock } from "../../support/clock.ts";
import { startTestService, type TestService } from "../../support/service.ts";

const PROGRAM = path.join(import.meta.dirname, "../../../examples/receiver-python/try_webhooks.py");
const CIDRS = "127.0.0.0/8";

let folder: string;
const services: TestService[] = [];
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "tdf-trial-"));
});
afterAll(async () => {
  await Promise.all(services.map((service) => service.stop()));
  await rm(folder, { recursive: true });
});

async function serviceWith(env: Record<string, string>): Promise<{ service: TestService; key: string }> {
  const clock = settableClock(systemClock.now().toISOString());
  const service = await startTestService({ clock, env });
  services.push(service);
  const { key } = await service.createAccount({ feeds: { us_brokers: null, us_new_authority_weekly: null } });
  return { service, key };
}

function startTrial(service: TestService, key: string): { child: ChildProcess; said: string[] } {
  const env = { ...process.env, TDF_URL: service.url, TDF_KEY: key, CERT_FOLDER: folder, PORT: "0" };
  const child = spawn("python3", [PROGRAM], { env, stdio: ["ignore", "inherit", "pipe"] });
  const said: string[] = [];
  createInterface({ input: child.stderr }).on("line", (line) => said.push(line));
  return { child, said };
}

it("says how the service must be started when that refuses addresses of this machine", async () => {
  const { service, key } = await serviceWith({});
  const { child, said } = startTrial(service, key);
  expect((await once(child, "close"))[0]).toBe(1);
  expect(said.join("\n")).toMatch(
    /WEBHOOK_ALLOWED_CIDRS=127\.0\.0\.0\/8 NODE_EXTRA_CA_CERTS=\S+cert\.pem[\s\S]*not a public address[\s\S]*Start the service/,
  );
});

it("receives a test delivery over TLS, and leaves no endpoint behind", async () => {
  const { service, key } = await serviceWith({ WEBHOOK_ALLOWED_CIDRS: CIDRS });
  const { child, said } = startTrial(service, key);
  const closed = once(child, "close");
  await vi.waitFor(() => expect(said.join("\n")).toContain("A test delivery is on its way"), {
    timeout: 30_000,
  });
  const ca = await readFile(path.join(folder, "cert.pem"), "utf8");
  const dispatcher = startDispatcher(service.context, {
    pollMs: 20,
    sender: createSender({ allowedCidrs: [CIDRS], ca }),
  });
  try {
    await vi.waitFor(() => expect(said).toContain("A test delivery arrived."), { timeout: 30_000 });
  } finally {
    child.kill("SIGINT");
    await dispatcher.stop();
  }
  expect((await closed)[0]).toBe(0);
  const list = await service.get("/v1/webhooks", key);
  expect(((await list.json()) as { data: unknown[] }).data).toEqual([]);
});
