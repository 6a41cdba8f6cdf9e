// Options of one call, and what a program in plain JavaScript gets for an option that there is not.
import { buffer } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ALL_SCOPES } from "../../../src/accounts/keys/grant.ts";
import { startTestService, type TestService } from "../../../test/support/service.ts";
import { createClient, type TruckingDataFeed } from "../src/index.ts";
import { allOf, customerOf, publishBrokers } from "./brokers.ts";
import { startRawServer } from "./raw-server.ts";

let service: TestService;
let tdf: TruckingDataFeed;
beforeAll(async () => {
  service = await startTestService();
  await publishBrokers(service, [4_400_000]);
  tdf = await customerOf(service);
});
afterAll(() => service.stop());

describe("the options of one call", () => {
  it("timeoutMs goes before that of the client", async () => {
    const server = await startRawServer(() => {});
    const slow = createClient({ apiKey: "any", baseUrl: server.url, timeoutMs: 60_000 });
    const once = { timeoutMs: 20, maxRetries: 0 };
    for (const calling of [
      slow.usage(once),
      slow.webhooks.test(1, once),
      allOf(slow.records("us_brokers", {}, once)),
      allOf(slow.events(once)),
      slow.openExport("us_brokers", {}, once),
      slow.syncFeed(service.context.config.dataDir, "us_brokers", {}, once),
    ])
      await expect(calling).rejects.toMatchObject({
        code: "timeout",
        detail: expect.stringMatching(/ 20 ms/),
      });
    await server.close();
  });

  it("timeoutMs may be longer than any timer", async () => {
    expect(await tdf.feeds({ timeoutMs: Number.POSITIVE_INFINITY, maxRetries: 0 })).toHaveLength(5);
  });

  // It retried for ever, timed out at once, or asked again without a pause.
  it("are numbers where they should be: NaN is refused, and nothing is sent", async () => {
    const client = { apiKey: "any", baseUrl: service.url };
    for (const name of ["timeoutMs", "maxRetries", "maxRetryWaitSeconds"])
      expect(() => createClient({ ...client, [name]: Number.NaN })).toThrow(`${name} is NaN. Give a number.`);
    await expect(tdf.usage({ maxRetries: Number("three") })).rejects.toThrow(TypeError);
    expect(() => tdf.events({ follow: true, pollSeconds: Number.NaN })).toThrow("pollSeconds is NaN");
  });

  it("pollSeconds may be longer than any timer", async () => {
    let requests = 0;
    const server = await startRawServer((_request, response) => {
      requests += 1;
      response.end('{"data":[],"next_cursor":null,"meta":{"resume_cursor":"c"}}');
    });
    const client = createClient({ apiKey: "any", baseUrl: server.url });
    const signal = AbortSignal.timeout(300);
    await allOf(client.events({ follow: true, pollSeconds: Number.POSITIVE_INFINITY, signal }));
    expect(requests).toBe(1);
    await server.close();
  });

  it("what HTTP can't carry is refused at once, and nothing is sent", async () => {
    const { url } = service;
    for (const apiKey of ["tdf_live_…", "a\nb", " "])
      expect(() => createClient({ apiKey, baseUrl: url })).toThrow(TypeError);
    const client = createClient({ apiKey: "any", baseUrl: url, sleep: () => expect.fail("it waited") });
    await expect(client.feeds({ headers: { "X-Trace": "…" } })).rejects.toBeInstanceOf(TypeError);
    const unknown = client.openExport("us_brokers", {}, { format: "xlsx" as never });
    await expect(unknown).rejects.toThrow("There is no format xlsx. Choose one of csv, ndjson, parquet.");
  });

  it("maxRetries goes before that of the client", async () => {
    let requests = 0;
    const server = await startRawServer((_request, response) => {
      requests += 1;
      response.writeHead(503, { "content-type": "application/json" }).end('{"code":"x","detail":"y"}');
    });
    const client = createClient({ apiKey: "any", baseUrl: server.url, maxRetries: 0, sleep: async () => {} });
    await expect(client.usage({ maxRetries: 2 })).rejects.toMatchObject({ status: 503 });
    await expect(allOf(client.versions("us_brokers", { maxRetries: 1 }))).rejects.toThrow();
    await expect(client.feeds()).rejects.toThrow();
    expect(requests).toBe(3 + 2 + 1);
    await server.close();
  });

  it("headers are sent with every request of the call", async () => {
    const seen: unknown[] = [];
    const server = await startRawServer(({ headers }, response) => {
      seen.push([headers["x-trace"], headers["x-api-key"]]);
      response.writeHead(200, { "content-type": "application/json" }).end('{"data":[],"next_cursor":null}');
    });
    const client = createClient({ apiKey: "the-key", baseUrl: server.url });
    const options = { headers: { "X-Trace": "t1" } };
    await client.feeds(options);
    await client.webhooks.create({ url: "https://hooks.example.com", event_types: ["reinstated"] }, options);
    await allOf(client.versions("us_brokers", options));
    await buffer((await client.openExport("us_brokers", {}, options)).body);
    expect(seen).toEqual(Array(4).fill(["t1", "the-key"]));
    await server.close();
  });

  it("are all that a call takes: any other one is named, with those that there are", async () => {
    // As plain JavaScript passes it.
    const wrong = { timeout: 5 } as object;
    const words = /There is no option timeout\. .*timeoutMs/;
    const endpoint = { url: "https://hooks.example.com", event_types: ["reinstated" as const] };
    const { webhooks } = tdf;
    for (const calling of [
      tdf.feeds(wrong),
      tdf.sources(wrong),
      tdf.count("us_brokers", {}, wrong),
      tdf.carrier(1, wrong),
      tdf.event(1, wrong),
      tdf.usage(wrong),
      tdf.requestRemoval({ usdot: "99" }, wrong),
      tdf.openExport("us_brokers", {}, wrong),
      tdf.syncFeed("nowhere", "us_brokers", {}, wrong),
      webhooks.list(wrong),
      webhooks.create(endpoint, wrong),
      webhooks.rotateSecret(1, {}, wrong),
      webhooks.delete(1, wrong),
      webhooks.replay(1, { from: "2026-11-20T00:00:00Z", to: "2026-11-21T00:00:00Z" }, wrong),
    ])
      await expect(calling).rejects.toThrow(words);
    for (const list of [
      () => tdf.records("us_brokers", {}, wrong),
      () => tdf.versions("us_brokers", wrong),
      () => tdf.changes("us_brokers", 1, {}, wrong),
      () => tdf.events(wrong),
      () => webhooks.deliveries(1, {}, wrong),
    ])
      expect(list).toThrow(words);
    expect(() => tdf.events({ page_size: 5 } as object)).toThrow(/There is no option page_size\. .*pageSize/);
    const client = { apiKey: "any", baseUrl: service.url, retries: 1 };
    expect(() => createClient(client)).toThrow(/There is no option retries\. .*maxRetries/);
    expect((await webhooks.list()).data).toEqual([]);
  });

  it("ask for pages with entries: a page of none is refused, and reads no empty list", async () => {
    const none = { pageSize: 0 };
    const client = await customerOf(service, { scopes: ALL_SCOPES });
    const { id } = await client.watchlists.create({ name: "Clients" });
    for (const list of [
      () => client.records("us_brokers", {}, none),
      () => client.versions("us_brokers", none),
      () => client.changes("us_brokers", 1, {}, none),
      () => client.events(none),
      () => client.corrections(none),
      () => client.timeline(4_400_000, none),
      () => client.carrierChanges(none),
      () => client.watchlists.carriers(id, none),
      () => client.keys.list(none),
      () => client.webhooks.deliveries(1, {}, none),
    ]) {
      const reading = allOf<unknown>(list());
      await expect(reading, list.toString()).rejects.toMatchObject({ code: "invalid_request", status: 422 });
    }
    // The service takes a limit of 0 there: it is the summary alone.
    expect(() => client.connections(4_400_000, none)).toThrow(/pageSize .*connectionSummary/);
  });
});

it("a body has the contract's names, and a name that is not the contract's changes nothing", async () => {
  const { id, secret } = await tdf.webhooks.create({
    url: "https://hooks.example.com/in",
    event_types: ["reinstated"],
  });
  const misspelt = tdf.webhooks.rotateSecret(id, { overlapSeconds: 60 } as object);
  await expect(misspelt).rejects.toMatchObject({ code: "invalid_request", status: 422 });
  const rotated = await tdf.webhooks.rotateSecret(id, { overlap_seconds: 60 });
  expect(rotated.secret).not.toBe(secret);
  expect(rotated.previous_secret_valid_until).toEqual(expect.any(String));
});
