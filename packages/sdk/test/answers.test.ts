// What an answer tells beside its body: cost, quota, rate, request id.
import { buffer } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { setDetection } from "../../../test/support/events/events.ts";
import { startTestService, type TestService } from "../../../test/support/service.ts";
import { createClient } from "../src/index.ts";
import { customerOf, numbersFrom, publishBrokers } from "./brokers.ts";

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
  await publishBrokers(service, numbersFrom(4_400_000, 5));
  await setDetection(service.context.db, { finishedAt: "2026-11-20T11:20:06Z", asOf: "2026-11-20" });
});
afterAll(() => service.stop());

const PLAN = { requestsPerMinute: 10, rowsPerMonth: 100 };
const RESETS = { minute: new Date("2026-11-21T12:01:00Z"), month: new Date("2026-12-01T00:00:00Z") };

describe("a call", () => {
  it("is a promise of its data, and withResponse adds what the answer tells", async () => {
    const tdf = await customerOf(service, PLAN);
    const call = tdf.count("us_brokers", { state: ["TX"] });
    const answer = await call.withResponse();
    expect(answer.data).toMatchObject({ rows: 3 });
    expect(await call).toBe(answer.data);
    expect(answer).toMatchObject({
      cost: 0,
      quota: { limit: 100, remaining: 100, resetsAt: RESETS.month },
      rate: { limit: 10, remaining: 9, resetsAt: RESETS.minute },
      requestId: answer.response.headers.get("x-request-id"),
    });
    expect(answer.requestId).toMatch(/\w{10}/);
    expect(answer.response.status).toBe(200);
  });

  it("has it also where the data is a part of the body, and where there is none", async () => {
    const tdf = await customerOf(service, PLAN);
    const feeds = await tdf.feeds().withResponse();
    expect([feeds.data.length, feeds.cost]).toEqual([5, 0]);
    const carrier = await tdf.carrier(4_400_000).withResponse();
    expect([carrier.data.records.length, carrier.cost, carrier.quota?.remaining]).toEqual([1, 1, 99]);
    const { id } = await tdf.webhooks.create({
      url: "https://hooks.example.com/in",
      event_types: ["reinstated"],
    });
    const paused = await tdf.webhooks.pause(id).withResponse();
    expect([paused.data, paused.response.status]).toEqual([undefined, 204]);
    const removal = await tdf.requestRemoval({ usdot: "99" }).withResponse();
    expect([removal.cost, removal.quota, removal.rate]).toEqual([null, null, null]);
    expect(removal.requestId).toMatch(/\w{10}/);
  });

  it("that fails rejects once, whichever way it is awaited", async () => {
    const tdf = createClient({ apiKey: "wrong", baseUrl: service.url });
    const unhandled: unknown[] = [];
    const note = (error: unknown) => unhandled.push(error);
    process.on("unhandledRejection", note);
    await expect(tdf.usage().withResponse()).rejects.toMatchObject({ code: "invalid_api_key" });
    await expect(tdf.usage()).rejects.toMatchObject({ code: "invalid_api_key" });
    await new Promise(setImmediate);
    process.off("unhandledRejection", note);
    expect(unhandled).toEqual([]);
  });

  it("of an export tells its cost before its bytes", async () => {
    const tdf = await customerOf(service, PLAN);
    const { data, cost, quota } = await tdf.openExport("us_brokers").withResponse();
    expect([cost, quota?.remaining]).toEqual([5, 95]);
    expect((await buffer(data.body)).length).toBeGreaterThan(100);
  });
});

describe("pages", () => {
  it("of a list have it one by one", async () => {
    const tdf = await customerOf(service, PLAN);
    const told: unknown[] = [];
    const pages = tdf.records("us_brokers", {}, { pageSize: 2 }).pages();
    for await (const { data, cost, quota } of pages.withResponse())
      told.push([data.data.length, data.meta.version > 0, cost, quota?.remaining]);
    expect(told).toEqual([
      [2, true, 2, 98],
      [2, true, 2, 96],
      [1, true, 1, 95],
    ]);
  });

  it("of each kind of list have it", async () => {
    const tdf = await customerOf(service, PLAN);
    const { id } = await tdf.webhooks.create({
      url: "https://hooks.example.com",
      event_types: ["reinstated"],
    });
    const { value: version } = await tdf.versions("us_brokers").pages().withResponse().next();
    expect(version).toMatchObject({ cost: 0, data: { data: [{ version: expect.any(Number) }] } });
    const since = version?.data.data[0]?.version ?? 0;
    for (const pages of [
      tdf.changes("us_brokers", since).pages(),
      tdf.events().pages(),
      tdf.webhooks.deliveries(id).pages(),
    ]) {
      const { value } = await pages.withResponse().next();
      expect(value).toMatchObject({ cost: 0, data: { data: [] }, requestId: expect.any(String) });
    }
  });

  it("of events move the cursor as they do without it", async () => {
    const tdf = await customerOf(service, PLAN);
    const events = tdf.events();
    for await (const { data } of events.pages().withResponse()) expect(data.data).toEqual([]);
    expect(events.cursor).toEqual(expect.any(String));
  });
});
