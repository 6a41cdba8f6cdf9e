// OTEL_EXPORTER_OTLP_ENDPOINT: what a collector gets, and what it never gets.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { generateRegistry } from "../../../src/cli/registry/made-up-registry.ts";
import { createTestDatabase, type TestDatabase } from "../../support/database.ts";
import { feedRecord, publishFeed } from "../../support/feeds/published-feed.ts";
import { memoryLog } from "../../support/memory-log.ts";
import {
  openTraceReceiver,
  type ReceivedSpan,
  type TraceReceiver,
} from "../../support/network/trace-receiver.ts";
import { runTdf } from "../../support/processes/command.ts";
import { startTestService } from "../../support/service.ts";
import { LOOPBACK_ENV, startTestDispatcher, until } from "../../support/webhooks/dispatching.ts";
import { registerEndpoint } from "../../support/webhooks/endpoints.ts";
import { startReceiver } from "../../support/webhooks/receiver.ts";

const FEED = "us_brokers";
const TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
const PARENT = "00f067aa0ba902b7";

let database: TestDatabase;
let receiver: TraceReceiver;
beforeAll(async () => {
  database = await createTestDatabase();
  receiver = await openTraceReceiver();
});
afterAll(async () => {
  receiver.close();
  await database.drop();
});

const serviceTracedAt = (url: string) => {
  const { log, lines } = memoryLog();
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: url };
  return startTestService({ databaseUrl: database.url, env, log }).then((service) => ({ service, lines }));
};

const valuesOf = ({ attributes }: ReceivedSpan) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));

it("traces a request and its statements as steps of the caller's trace, and logs the trace", async () => {
  const { service, lines } = await serviceTracedAt(receiver.url);
  const { key, licenceRef } = await service.createAccount({ feeds: { [FEED]: null } });
  await publishFeed(service.context.db, FEED, {
    records: [feedRecord(FEED, { dot_number: "7654321", state: "TX", company: "ROADRUNNER LLC" })],
    asOf: "2026-11-20",
    now: service.clock.now(),
  });
  const traceparent = `00-${TRACE}-${PARENT}-01`;
  const page = await service.get(`/v1/feeds/${FEED}/records?state=TX`, key, { traceparent });
  expect(page.status).toBe(200);
  const carrier = await service.get("/v1/carriers/7654321", key, { traceparent: "nonsense" });
  expect(carrier.status).toBe(200);
  await service.send("POST", "/v1/opt-out", { body: { usdot: "7654322" } });
  await service.stop();

  const spans = receiver.spans();
  const read = spans.find(({ name }) => name === "readRecords");
  expect(read).toMatchObject({ traceId: TRACE, parentSpanId: PARENT });
  expect(valuesOf(read as ReceivedSpan)).toEqual({
    "http.request.method": "GET",
    "http.response.status_code": 200,
    isWhole: true,
  });
  const steps = spans.filter(({ parentSpanId }) => parentSpanId === read?.spanId);
  expect(steps.map(({ name }) => name)).toEqual(
    expect.arrayContaining(["sql accounts/keys/admission", "sql accounts/usage/charge"]),
  );
  expect(steps.every(({ traceId }) => traceId === TRACE)).toBe(true);
  const other = spans.find(({ name }) => name === "lookUpCarrier");
  expect(other).toBeDefined();
  expect(other?.parentSpanId ?? "").toBe("");
  expect(lines().find(({ operation }) => operation === "readRecords")).toMatchObject({ traceId: TRACE });
  for (const secret of [key, licenceRef, "7654321", "7654322", "ROADRUNNER", "TX", "127.0.0.1", "SELECT"]) {
    expect([secret, receiver.text().includes(secret)]).toEqual([secret, false]);
  }
});

it("traces the steps of an import", async () => {
  const folder = await mkdtemp(path.join(tmpdir(), "tdf-traces-"));
  const options = { outDir: folder, carriers: 300, seed: 4, firstDay: "2026-11-20", days: 1 };
  const [day] = await generateRegistry(options);
  const settings = {
    DATABASE_URL: database.url,
    DATA_DIR: folder,
    OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
  };
  expect(await runTdf(settings, "import", "--dir", day?.dir ?? "")).toMatchObject({ status: 0 });
  await rm(folder, { recursive: true });
  const spans = receiver.spans();
  const whole = spans.find(({ name }) => name === "import");
  const steps = spans.filter(({ parentSpanId }) => whole && parentSpanId === whole.spanId);
  expect(steps.map(({ name }) => name)).toEqual(
    expect.arrayContaining([
      "import read",
      "import check",
      "import merge census",
      "import merge authority",
      "import build",
      "import detect",
    ]),
  );
});

it("traces an attempt to deliver, without its receiver", async () => {
  const service = await startTestService({
    databaseUrl: database.url,
    env: { ...LOOPBACK_ENV, OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url },
  });
  const customers = await startReceiver();
  const { accountId, key } = await service.createAccount({ feeds: { [FEED]: null } });
  const { id } = await registerEndpoint(service.context, accountId, { url: `${customers.url}/secret-path` });
  const dispatcher = startTestDispatcher(service.context);
  expect((await service.send("POST", `/v1/webhooks/${id}/test`, { key })).status).toBeLessThan(300);
  await until(() => customers.received.length === 1);
  await dispatcher.stop();
  await service.stop();
  await customers.close();
  const attempts = receiver.spans().filter(({ name }) => name === "webhook attempt");
  expect(attempts.map(valuesOf)).toEqual([{ attempt: 1, "http.response.status_code": 204 }]);
  expect(customers.received[0]?.headers).not.toHaveProperty("traceparent");
  expect(receiver.text()).not.toContain("secret-path");
});

it("answers and ends as usual when no collector answers, and says so once", async () => {
  const { service, lines } = await serviceTracedAt("http://127.0.0.1:9");
  expect((await service.get("/healthz")).status).toBe(200);
  await service.stop();
  const said = lines().filter(({ msg }) => String(msg).startsWith("Traces could not be sent"));
  expect(said).toHaveLength(1);
});

it("traces nothing unless it is asked to", async () => {
  const before = receiver.spans().length;
  const { log, lines } = memoryLog();
  const service = await startTestService({ databaseUrl: database.url, log });
  await service.get("/v1/catalog");
  await service.stop();
  expect(receiver.spans()).toHaveLength(before);
  expect(lines().some((line) => "traceId" in line)).toBe(false);
});
