// The limits of a key hold for its tools as for its requests: rate, quota, plan; and both cost the same.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { components } from "../../../src/generated/types.ts";
import { putEvents, setDetection } from "../../support/events/events.ts";
import { ALL_FEEDS, AMPLE, startServiceOfEveryFeed } from "../../support/feeds/every-feed.ts";
import { AS_OF } from "../../support/feeds/every-record.ts";
import { connectMcp, LIST_TOOLS, postMessage, toolCall } from "../../support/mcp.ts";
import type { TestService } from "../../support/service.ts";

const NOW = "2026-11-21T12:00:15Z";

let service: TestService;
beforeAll(async () => {
  service = await startServiceOfEveryFeed();
  service.clock.set(NOW);
  await setDetection(service.context.db, { finishedAt: NOW, asOf: AS_OF });
  await putEvents(
    service.context.db,
    Array.from({ length: 5 }, () => ({ detectedAt: NOW })),
  );
});
afterAll(() => service.stop());

type Plan = Parameters<TestService["createAccount"]>[0];

/** The answer of one tool call of a new account on this plan. */
async function callOn(plan: Plan, name: string, args: object = {}) {
  const { key } = await service.createAccount(plan);
  return callWith(key, name, args);
}

async function callWith(key: string, name: string, args: object = {}) {
  const answer = await postMessage(service, toolCall(name, args), { key });
  const { result } = (await answer.json()) as {
    result: { isError?: boolean; content: { text: string }[]; structuredContent: Record<string, unknown> };
  };
  return { status: answer.status, ...result, text: result.content[0]?.text ?? "" };
}

const PAGE = { code: "us_brokers", page_size: 5 };

describe("a tool call is refused like a request", () => {
  it("above the rate, and says when to call again", async () => {
    const { key } = await service.createAccount({ feeds: ALL_FEEDS, requestsPerMinute: 2 });
    expect(await callWith(key, "read_records", PAGE)).not.toMatchObject({ isError: true });
    await callWith(key, "list_feeds");
    const refused = await callWith(key, "read_records", PAGE);
    expect(refused).toMatchObject({
      status: 200,
      isError: true,
      structuredContent: {
        error: { status: 429, code: "rate_limited", retry_after_seconds: 45 },
        cost: { rows: 0, requests: 1 },
      },
    });
    expect(refused.text).toContain("This key may send 2 requests a minute. Try again in 45 s.");
    expect(refused.text).toContain("Retry-After: 45 seconds.");
    const list = await postMessage(service, LIST_TOOLS, { key });
    expect([list.status, list.headers.get("retry-after")]).toEqual([429, "45"]);
    expect(await list.json()).toMatchObject({ code: "rate_limited" });
    expect((await postMessage(service, toolCall("no_such_tool"), { key })).status).toBe(429);
    service.clock.advance(60_000);
    expect(await callWith(key, "read_records", PAGE)).not.toMatchObject({ isError: true });
    service.clock.set(NOW);
  });

  it("when the quota does not have the rows, and charges none", async () => {
    const { key } = await service.createAccount({ feeds: ALL_FEEDS, rowsPerMonth: 7 });
    expect((await callWith(key, "read_records", PAGE)).structuredContent.cost).toEqual({
      rows: 5,
      requests: 1,
      rows_left: 2,
    });
    const refused = await callWith(key, "read_records", PAGE);
    expect(refused.structuredContent).toMatchObject({
      error: { status: 429, code: "quota_exceeded", retry_after_seconds: 820_785 },
      cost: { rows: 0, requests: 1 },
    });
    expect(refused.text).toContain("2 of the 7 rows of your plan are left");
    expect((await callWith(key, "read_records", { ...PAGE, page_size: 2 })).structuredContent.cost).toEqual({
      rows: 2,
      requests: 1,
      rows_left: 0,
    });
  });

  const TOOLS = [
    "list_feeds",
    "read_records",
    "feed_changes",
    "count_records",
    "look_up_carrier",
    "read_events",
  ];
  it.each([...TOOLS, "read_usage", "list_webhooks"])("%s, on a plan without API access", async (name) => {
    const refused = await callOn({ apiAccess: false, feeds: ALL_FEEDS }, name);
    expect(refused.structuredContent).toMatchObject({
      error: {
        status: 403,
        code: "plan_has_no_api_access",
        type: expect.stringMatching(/^http.*\/problems\/plan_has_no_api_access$/),
      },
    });
    expect(refused.text).toContain("Change to a plan that lists it.");
  });

  it("for a feed, an event type and a state that the plan does not include", async () => {
    const plan = { feeds: { us_brokers: ["TX"] } };
    const feed = await callOn(plan, "read_records", { ...PAGE, code: "us_revocation_pending" });
    expect(feed.structuredContent.error).toMatchObject({ status: 403, code: "not_entitled" });
    const type = await callOn(plan, "read_events", { type: ["revocation_pending"] });
    expect(type.structuredContent.error).toMatchObject({ status: 403, code: "not_entitled" });
    const elsewhere = await callOn(plan, "read_records", { ...PAGE, state: ["CA"] });
    expect(elsewhere.structuredContent).toMatchObject({ data: [], cost: { rows: 0 } });
  });

  it("while the data is stale", async () => {
    service.clock.advance(10 * 86_400_000);
    const refused = await callOn(AMPLE, "read_records", PAGE);
    service.clock.set(NOW);
    expect(refused.structuredContent.error).toMatchObject({ code: "stale_source", retry_after_seconds: 600 });
  });
});

describe("a tool call costs what the request costs", () => {
  const PAIRS: [name: string, args: object, path: string, rows: number][] = [
    ["list_feeds", {}, "/v1/feeds", 0],
    ["read_records", PAGE, "/v1/feeds/us_brokers/records?page_size=5", 5],
    ["look_up_carrier", { dot: "4300001" }, "/v1/carriers/4300001", 5],
    ["look_up_carrier", { dot: "1" }, "/v1/carriers/1", 0],
    ["count_records", { code: "us_brokers", by: "state" }, "/v1/feeds/us_brokers/count?by=state", 0],
    ["feed_changes", { code: "us_brokers", since_version: 999_999 }, "/v1/feeds/us_brokers/changes", 0],
    ["read_events", { limit: 3 }, "/v1/events?limit=3", 3],
    ["read_records", { ...PAGE, page_size: 51 }, "/v1/feeds/us_brokers/records?page_size=1001", 0],
    ["list_webhooks", {}, "/v1/webhooks", 0],
  ];

  /** The usage without the key's identifier. */
  const usageOf = async (key: string) => {
    const answer = await service.get("/v1/usage", key);
    const { by_key = [], ...usage } = (await answer.json()) as components["schemas"]["UsageOut"];
    return { ...usage, by_key: by_key.map((each) => ({ ...each, key_id: "", prefix: "" })) };
  };

  it.each(PAIRS)("%s %j", async (name, args, path, rows) => {
    const [byTool, byRequest] = await Promise.all([AMPLE, AMPLE].map((plan) => service.createAccount(plan)));
    const { structuredContent } = await callWith(byTool?.key ?? "", name, args);
    await service.get(path, byRequest?.key ?? "");
    expect(structuredContent.cost).toMatchObject({ rows, requests: 1 });
    const usage = await usageOf(byTool?.key ?? "");
    expect(usage).toEqual(await usageOf(byRequest?.key ?? ""));
    expect(usage).toMatchObject({ usage: { quota_rows: rows, api_rows: rows, api_requests: 2 } });
  });

  it("and connecting and listing the tools cost requests and no rows", async () => {
    const { key } = await service.createAccount(AMPLE);
    const { client } = await connectMcp(service, { "X-API-Key": key });
    await client.listTools();
    expect(await usageOf(key)).toMatchObject({ usage: { quota_rows: 0, api_requests: 4 } });
    const list = await postMessage(service, LIST_TOOLS, { key });
    expect(Number(list.headers.get("x-ratelimit-remaining"))).toBeLessThan(AMPLE.requestsPerMinute - 3);
  });

  it("counts the rows of a metric too", async () => {
    const served = async () =>
      Number(
        /^tdf_rows_served_total\{feed="us_brokers",form="json"\} (\d+)/m.exec(await metrics())?.[1] ?? 0,
      );
    const metrics = async () => (await service.get("/metrics")).text();
    const before = await served();
    await callOn(AMPLE, "read_records", PAGE);
    expect((await served()) - before).toBe(5);
  });
});
