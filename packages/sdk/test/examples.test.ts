// The examples that read from the service, as an integrator runs them.
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { putEvents, setDetection } from "../../../test/support/events/events.ts";
import { parquetRecords } from "../../../test/support/feeds/parquet-records.ts";
import { removeBusinesses } from "../../../test/support/removals/removals.ts";
import { changeRows } from "../../../test/support/rows.ts";
import { startTestService, type TestService } from "../../../test/support/service.ts";
import { deliveriesOf, putDelivery } from "../../../test/support/webhooks/deliveries.ts";
import { registerEndpoint } from "../../../test/support/webhooks/endpoints.ts";
import { SOURCE_CONDITION } from "../../../test/support/webhooks/example-receiver.ts";
import { AMPLE, numbersFrom, publishBrokers } from "./brokers.ts";

const EXAMPLES = path.join(import.meta.dirname, "../../../examples/reader-typescript");
const commandOf = (example: string, ...words: string[]) => [
  SOURCE_CONDITION,
  path.join(EXAMPLES, example),
  ...words,
];

let service: TestService;
let folder: string;
let env: NodeJS.ProcessEnv;
beforeAll(async () => {
  service = await startTestService();
  folder = await mkdtemp(path.join(tmpdir(), "tdf-readers-"));
  const { key } = await service.createAccount({ ...AMPLE, rowsPerMonth: 30 });
  const CURSOR_FILE = path.join(folder, "events.cursor");
  env = { ...process.env, TDF_KEY: key, TDF_URL: service.url, CURSOR_FILE };
  await publishBrokers(service, numbersFrom(4_400_000, 20));
  await setDetection(service.context.db, { finishedAt: "2026-11-20T11:20:06Z", asOf: "2026-11-20" });
});
afterAll(async () => {
  await service.stop();
  await rm(folder, { recursive: true });
});

it("read-records prints the brokers of the states it is given, and says in a line why it cannot", async () => {
  const read = (...states: string[]) =>
    promisify(execFile)(process.execPath, commandOf("read-records.ts", ...states), { env });
  const { stdout, stderr } = await read("CA");
  const records = stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(records).toHaveLength(10);
  expect(records[0]).toEqual({
    dot_number: "4400001",
    company: "BROKER 4400001 LLC",
    entity_type: "broker",
    state: "CA",
  });
  expect(stderr).toBe("20 rows are left this month.\n");
  expect((await read()).stderr).toBe("0 rows are left this month.\n");
  await expect(read()).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^This answer has 20 rows.*\(quota_exceeded, 429, request \S+\)\n$/),
  });
});

it.each([["sync-feed.ts"], ["follow-events.ts"]])("%s says in a line why it cannot", async (example) => {
  const refused = promisify(execFile)(process.execPath, commandOf(example), {
    env: { ...env, TDF_KEY: "none", FOLDER: folder },
  });
  await expect(refused).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^Send a valid API key .*\(invalid_api_key, 401, request \S+\)\n$/),
  });
});

it("export-feed saves the feed as one file", async () => {
  const { key } = await service.createAccount(AMPLE);
  for (const format of ["ndjson", "parquet"]) {
    const { stderr } = await promisify(execFile)(
      process.execPath,
      commandOf("export-feed.ts", "us_brokers", format),
      { env: { ...env, TDF_KEY: key }, cwd: folder },
    );
    const name = `us_brokers_2026-11-20.${format}`;
    expect(stderr).toMatch(new RegExp(`^${name}: version \\d+, 20 rows\\.\n$`));
    const file = await readFile(path.join(folder, name));
    const rows = format === "parquet" ? await parquetRecords(file) : file.toString().trim().split("\n");
    expect(rows).toHaveLength(20);
  }
});

it("resend-failed enables the endpoint and queues what failed", async () => {
  const { context } = service;
  const { key, accountId } = await service.createAccount(AMPLE);
  const { id } = await registerEndpoint(context, accountId);
  for (const status of ["failed", "delivered", "failed"])
    await putDelivery(context, { endpointId: id, status });
  // The newest: it can't be sent again.
  await putDelivery(context, { endpointId: id, status: "failed", isTest: true });
  const { stderr } = await promisify(execFile)(
    process.execPath,
    commandOf("resend-failed.ts", String(id), "2026-11-20T00:00:00Z"),
    { env: { ...env, TDF_KEY: key } },
  );
  expect(stderr).toBe("2 deliveries to https://hooks.example.com/in are queued again.\n");
  const states = (await deliveriesOf(context, id)).map(({ status }) => status);
  expect(states).toEqual(["queued", "delivered", "queued", "failed"]);
});

it("resend-failed goes on after what can't be sent any more", async () => {
  const { context } = service;
  const { key, accountId } = await service.createAccount(AMPLE);
  const { id } = await registerEndpoint(context, accountId, { event_types: ["reinstated"] });
  const [removed = 0] = await putEvents(context.db, [{ usdot: 4_400_700, type: "reinstated" }]);
  await putDelivery(context, { endpointId: id, status: "failed" });
  const other = await putDelivery(context, { endpointId: id, status: "failed" });
  await changeRows(context.db.pool, "webhook_delivery", { event_type: "revocation_pending" }, { id: other });
  await putDelivery(context, { endpointId: id, status: "failed", eventId: removed });
  await removeBusinesses(context.db, [4_400_700]);
  const { stderr } = await promisify(execFile)(process.execPath, commandOf("resend-failed.ts", String(id)), {
    env: { ...env, TDF_KEY: key },
  });
  expect(stderr).toBe(
    "1 deliveries to https://hooks.example.com/in are queued again. 2 cannot be sent any more.\n",
  );
});

it("follow-events prints each event once, over a restart", async () => {
  const { key } = await service.createAccount(AMPLE);
  const [one, two] = await putEvents(service.context.db, [
    { type: "reinstated" },
    { type: "revocation_pending" },
  ]);
  const first = await follow(key, 2, null);
  expect(first.ids).toEqual([one, two]);
  const [, later] = await putEvents(service.context.db, [{}, { type: "reinstated" }]);
  expect((await follow(key, 1, first.position)).ids).toEqual([later]);
});

/** Runs follow-events until it printed so many events and stored another position; then ends it as an operator would. */
async function follow(key: string, count: number, position: string | null) {
  const child = spawn(process.execPath, commandOf("follow-events.ts"), {
    env: { ...env, TDF_KEY: key },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const closed = once(child, "close");
  const ids: number[] = [];
  createInterface({ input: child.stdout }).on("line", (line) => ids.push(JSON.parse(line).id));
  const stored = () => readFile(String(env.CURSOR_FILE), "utf8").catch(() => null);
  await vi.waitFor(
    async () => {
      expect(ids).toHaveLength(count);
      expect(await stored()).not.toBe(position);
    },
    { timeout: 50_000, interval: 20 },
  );
  child.kill("SIGTERM");
  expect(await closed).toEqual([0, null]);
  return { ids, position: await stored() };
}
