// The clients that customers make from openapi.yaml, and our own SDKs, do one task with the service: see task.ts. Each program
// compiles in strict TypeScript with what its generator wrote.
import { execFile } from "node:child_process";
import { rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { pythonWheel } from "../../scripts/generate/packages/wheel.ts";
import type { Dispatcher } from "../../src/webhooks/dispatch/dispatcher.ts";
import { settableClock } from "../support/clock.ts";
import { compilerComplaints } from "../support/compiler.ts";
import { feedRecord, publishFeed } from "../support/feeds/published-feed.ts";
import { generateClients } from "../support/generated-clients.ts";
import { startTestService, type TestService } from "../support/service.ts";
import { LOOPBACK_ENV, startTestDispatcher } from "../support/webhooks/dispatching.ts";
import { type Receiver, startReceiver } from "../support/webhooks/receiver.ts";
import type { Trial } from "./task.ts";

const run = promisify(execFile);
const FOLDER = import.meta.dirname;
const ROOT = path.join(FOLDER, "../..");
const GENERATED = path.join(FOLDER, "generated");
const PROGRAMS = ["openapi-fetch", "hey-api", "orval", "kubb", "sdk"] as const;
const FEED = "us_brokers";

let service: TestService;
let dispatcher: Dispatcher;
let receiver: Receiver;
let lastDelivery: Server;
beforeAll(async () => {
  service = await startTestService({ clock: settableClock(new Date().toISOString()), env: LOOPBACK_ENV });
  await publishTwice();
  dispatcher = startTestDispatcher(service.context);
  receiver = await startReceiver();
  lastDelivery = await serveLastDelivery(receiver);
  await rm(GENERATED, { recursive: true, force: true });
  await generateAll();
});
afterAll(async () => {
  lastDelivery?.close();
  await dispatcher?.stop();
  await receiver?.close();
  await service?.stop();
});

/** Five records; in the second version one is new, one is gone and one has changed. */
async function publishTwice(): Promise<void> {
  const now = service.clock.now();
  const asOf = now.toISOString().slice(0, 10);
  const record = (index: number, change = {}) =>
    feedRecord(FEED, { dot_number: String(4_400_000 + index), last_verified: asOf, ...change });
  const first = [0, 1, 2, 3, 4].map((index) => record(index));
  const [gone, changed, ...kept] = first;
  const second = [...kept, { ...changed, company: "RENAMED LLC" }, record(5)];
  for (const records of [first, second]) await publishFeed(service.context.db, FEED, { records, asOf, now });
  expect(gone).toBeDefined();
}

/** Answers with the newest delivery, when there is one that was not asked for yet. */
async function serveLastDelivery(receiver: Receiver): Promise<Server> {
  let asked = 0;
  const server = createServer(async (_request, response) => {
    asked += 1;
    await receiver.arrival(asked);
    const { headers, body } = receiver.received[asked - 1] ?? {};
    response.end(JSON.stringify({ headers, body: body?.toString() }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return server;
}

async function generateAll(): Promise<void> {
  await generateClients(GENERATED);
  await writeFile(path.join(GENERATED, "package.whl"), await pythonWheel(ROOT));
  const env = { ...process.env, BASE_URL: service.url };
  for (const [tool, ...args] of [["orval"], ["kubb", "generate"]]) {
    const cli = path.join(FOLDER, "node_modules/.bin", tool ?? "");
    await run(process.execPath, [cli, ...args, "--config", `${tool}.config.mjs`], { cwd: FOLDER, env });
  }
}

async function outcomeOf(command: string, ...args: string[]): Promise<unknown> {
  const { key } = await service.createAccount({ feeds: { [FEED]: null } });
  const { port } = lastDelivery.address() as AddressInfo;
  const trial: Trial = {
    baseUrl: service.url,
    key,
    feed: FEED,
    hookUrl: `${receiver.url}/in`,
    lastDeliveryUrl: `http://127.0.0.1:${port}/`,
  };
  const env = { ...process.env, PYTHONPATH: path.join(GENERATED, "package.whl") };
  const { stdout } = await run(command, [...args, JSON.stringify(trial)], { env, timeout: 60_000 });
  return JSON.parse(stdout);
}

describe("clients of openapi.yaml", () => {
  it("compile in strict TypeScript", { timeout: 120_000 }, () => {
    expect(compilerComplaints(PROGRAMS.map((name) => path.join(FOLDER, `${name}.ts`)))).toEqual([]);
  });

  const node = [process.execPath, "--conditions=@trucking-data-feed/source"] as const;
  const commands = [
    ...PROGRAMS.map((name) => [name, ...node, path.join(FOLDER, `${name}.ts`)] as const),
    ["sdk-python", "python3", path.join(FOLDER, "sdk_python.py")] as const,
  ];

  it.each(commands)(
    "list, page, sync, register and verify: %s",
    { timeout: 120_000 },
    async (_name, ...command) => {
      const page = await service.get(
        `/v1/feeds/${FEED}/records`,
        (await service.createAccount({ feeds: { [FEED]: null } })).key,
      );
      const { data } = (await page.json()) as { data: { record_id: string }[] };
      const current = data.map(({ record_id }) => record_id).sort();
      expect(await outcomeOf(...command)).toEqual({
        feeds: [FEED],
        listed: current,
        synced: current,
        ops: ["added", "changed", "removed"],
        isVerified: true,
        isForgeryRefused: true,
      });
    },
  );
});
