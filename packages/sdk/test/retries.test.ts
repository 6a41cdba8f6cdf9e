import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { cuttableWayTo } from "../../../test/support/network/tcp-proxy.ts";
import { startTestService, type TestService } from "../../../test/support/service.ts";
import { registerEndpoint } from "../../../test/support/webhooks/endpoints.ts";
import { type ClientOptions, createClient, type Retry, type TruckingDataFeed } from "../src/index.ts";
import { allOf, customerOf, publishBrokers } from "./brokers.ts";
import { startCuttingProxy } from "./cutting-proxy.ts";
import { startRawServer } from "./raw-server.ts";

const ENDPOINT = { url: "https://hooks.example.com/in", event_types: ["reinstated" as const] };

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

/** The waits that clients asked for, in milliseconds. Nothing waits: what has to happen meanwhile happens at once. */
let waits: number[] = [];
let retries: Retry[] = [];
beforeEach(() => {
  waits = [];
  retries = [];
  service.clock.set("2026-11-21T12:00:10Z");
});

const meanwhile = (happens: (ms: number) => unknown = () => {}): Partial<ClientOptions> => ({
  onRetry: (retry) => retries.push(retry),
  sleep: async (ms) => {
    waits.push(ms);
    await happens(ms);
  },
});
const untilThen = meanwhile((ms) => service.clock.advance(ms));
const failureOf = (calling: Promise<unknown>) => calling.then(() => null).catch((error: unknown) => error);

describe("a key over its limit", () => {
  it("waits as long as the service says, and the call succeeds", async () => {
    const tdf = await customerOf(service, { requestsPerMinute: 1 }, untilThen);
    await tdf.usage();
    expect(await tdf.feeds()).toHaveLength(5);
    expect(waits).toEqual([50_000]);
    expect(retries).toMatchObject([{ waitMs: 50_000, error: { code: "rate_limited", status: 429 } }]);
  });

  it("fails at once when retries are off", async () => {
    const tdf = await customerOf(service, { requestsPerMinute: 1 }, { ...untilThen, maxRetries: 0 });
    await tdf.usage();
    expect(await failureOf(tdf.usage())).toMatchObject({
      code: "rate_limited",
      status: 429,
      retryAfterSeconds: 50,
      isTemporary: true,
    });
    expect(waits).toEqual([]);
  });

  it("fails at once when the wait is longer than allowed", async () => {
    const tdf = await customerOf(
      service,
      { requestsPerMinute: 1 },
      { ...untilThen, maxRetryWaitSeconds: 49 },
    );
    await tdf.usage();
    expect(await failureOf(tdf.usage())).toMatchObject({ code: "rate_limited" });
    expect(waits).toEqual([]);
  });

  it("also waits before a request that must not be done twice: a refused one changed nothing", async () => {
    const tdf = await customerOf(service, { requestsPerMinute: 1 }, untilThen);
    await tdf.usage();
    const { id } = await tdf.webhooks.create(ENDPOINT);
    const { data } = await tdf.webhooks.list();
    expect(data.map((endpoint) => endpoint.id)).toEqual([id]);
    expect(waits).toEqual([50_000, 60_000]);
  });

  it("stops waiting when the signal aborts", async () => {
    const stop = new AbortController();
    const tdf = await customerOf(
      service,
      { requestsPerMinute: 1 },
      { onRetry: () => stop.abort(new Error("stopped")) },
    );
    await tdf.usage();
    await expect(tdf.usage({ signal: stop.signal })).rejects.toThrow("stopped");
  });
});

it("a used-up quota is not waited for", async () => {
  await publishBrokers(service, [4_400_000]);
  const options = { ...untilThen, maxRetryWaitSeconds: Number.POSITIVE_INFINITY };
  const tdf = await customerOf(service, { rowsPerMonth: 0 }, options);
  const failure = await failureOf(allOf(tdf.records("us_brokers")));
  expect(failure).toMatchObject({ code: "quota_exceeded", status: 429, isTemporary: false });
  expect(waits).toEqual([]);
});

it("records of a feed that is being refreshed come after the wait that the service asks for", async () => {
  await publishBrokers(service, [4_400_001], "2026-11-01");
  const options = { ...meanwhile(() => publishBrokers(service, [4_400_002])), maxRetryWaitSeconds: 3600 };
  const tdf = await customerOf(service, {}, options);
  expect(await allOf(tdf.records("us_brokers"))).toMatchObject([{ dot_number: "4400002" }]);
  expect(retries).toMatchObject([{ error: { code: "stale_source", status: 503 } }]);
  expect(waits).toEqual([Number(retries[0]?.error.retryAfterSeconds) * 1000]);
});

describe("a connection that breaks", () => {
  const overCutLine = async (
    happens: (mend: () => void) => unknown,
    options: Partial<ClientOptions> = {},
  ) => {
    const line = await cuttableWayTo(service.url);
    line.cut();
    const { key } = await service.createAccount();
    const client = createClient({
      apiKey: key,
      baseUrl: line.url,
      ...meanwhile(() => happens(line.mend)),
      ...options,
    });
    return { client, close: line.close };
  };

  it("is tried again after growing waits, and the call succeeds", async () => {
    const { client, close } = await overCutLine((mend) => waits.length === 2 && mend());
    expect((await client.usage()).usage.api_requests).toBe(1);
    expect(waits).toHaveLength(2);
    expect(waits[0]).toBeGreaterThanOrEqual(250);
    expect(waits[0]).toBeLessThanOrEqual(500);
    expect(waits[1]).toBeGreaterThanOrEqual(500);
    expect(waits[1]).toBeLessThanOrEqual(1000);
    await close();
  });

  it("is given up after maxRetries", async () => {
    const { client, close } = await overCutLine(() => {}, { maxRetries: 2 });
    expect(await failureOf(client.usage())).toMatchObject({
      code: "connection_failed",
      status: null,
      requestId: null,
      isTemporary: true,
      message: expect.stringMatching(/^The service cannot be reached: .+\. \(connection_failed\)$/),
    });
    expect(waits).toHaveLength(2);
    await close();
  });

  it.each<[string, (tdf: TruckingDataFeed, id: number) => Promise<{ secret?: string }>]>([
    ["registration", (tdf) => tdf.webhooks.create(ENDPOINT)],
    ["rotation", (tdf, id) => tdf.webhooks.rotateSecret(id)],
    ["test delivery", async (tdf, id) => ({ ...(await tdf.webhooks.test(id)), secret: "" })],
  ])("is tried again after a %s that had its effect, and the service does it once", async (what, call) => {
    const { accountId, key } = await service.createAccount({ feeds: { us_brokers: null } });
    const { id } = await registerEndpoint(service.context, accountId);
    const proxy = await startCuttingProxy(service.url, [10]);
    const { secret = "" } = await call(createClient({ apiKey: key, baseUrl: proxy.url, ...meanwhile() }), id);
    await proxy.close();
    expect(retries).toMatchObject([{ error: { code: "connection_failed" } }]);
    expect(proxy.ranges).toHaveLength(2);
    const { rows } = await service.context.db.pool.query(
      "SELECT (SELECT count(*)::int FROM webhook_endpoint WHERE account_id = $1) AS endpoints, " +
        "(SELECT count(*)::int FROM webhook_delivery WHERE account_id = $1) AS deliveries, " +
        "(SELECT secret_prefix FROM webhook_endpoint WHERE account_id = $1 ORDER BY id DESC LIMIT 1) AS prefix",
      [accountId],
    );
    expect(rows[0]).toMatchObject({
      endpoints: what === "registration" ? 2 : 1,
      deliveries: what === "test delivery" ? 1 : 0,
    });
    if (secret !== "") expect(secret.startsWith(rows[0].prefix)).toBe(true);
  });

  it("waits for the answer to its first attempt, when that is still in progress", async () => {
    const keys: unknown[] = [];
    const server = await startRawServer((request, response) => {
      keys.push(request.headers["idempotency-key"]);
      const isFirst = keys.length === 1;
      response.writeHead(isFirst ? 409 : 201, {
        "content-type": isFirst ? "application/problem+json" : "application/json",
        ...(isFirst && { "retry-after": "1" }),
      });
      response.end(
        JSON.stringify(isFirst ? { code: "request_in_progress", detail: "In progress." } : { id: 17 }),
      );
    });
    const tdf = createClient({ apiKey: "any", baseUrl: server.url, ...meanwhile() });
    expect(await tdf.webhooks.create(ENDPOINT)).toMatchObject({ id: 17 });
    for (const name of ["Idempotency-Key", "idempotency-key"])
      expect(await tdf.webhooks.create(ENDPOINT, { headers: { [name]: "mine" } })).toMatchObject({});
    expect(waits).toEqual([1000]);
    expect(keys).toEqual([expect.stringMatching(/^[0-9a-f-]{36}$/), keys[0], "mine", "mine"]);
    await server.close();
  });

  it("is not tried again after a deletion, which may have had its effect", async () => {
    const { client, close } = await overCutLine((mend) => mend());
    expect(await failureOf(client.webhooks.delete(17))).toMatchObject({ code: "connection_failed" });
    expect(waits).toEqual([]);
    await close();
  });

  // One in the middle of an error was the answer of somebody else.
  it.each([200, 404])("in the middle of an answer with %i is tried again too", async (status) => {
    let requests = 0;
    const server = await startRawServer((_request, response) => {
      requests += 1;
      response.writeHead(status, { "content-type": "application/json", "content-length": "1000" });
      response.write('{"data":[');
      setImmediate(() => response.destroy());
    });
    const tdf = createClient({ apiKey: "any", baseUrl: server.url, ...meanwhile(), maxRetries: 1 });
    expect(await failureOf(tdf.feeds())).toMatchObject({ code: "connection_failed" });
    expect(requests).toBe(2);
    await server.close();
  });
});
