// Each tool through the official client: it gives what the operation gives over HTTP, and says what is wrong with
// arguments that do not fit.
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { anyCharacter } from "../../support/any-character.ts";
import { putEvents, setDetection } from "../../support/events/events.ts";
import { AMPLE, startServiceOfEveryFeed } from "../../support/feeds/every-feed.ts";
import { AS_OF } from "../../support/feeds/every-record.ts";
import { connectMcp, type McpConnection, postMessage, REVISIONS, toolCall } from "../../support/mcp.ts";
import { putRegistryRow } from "../../support/registry/registry-rows.ts";
import { removeBusinesses, undoRemovals } from "../../support/removals/removals.ts";
import { putRows } from "../../support/rows.ts";
import type { TestService } from "../../support/service.ts";
import { registerEndpoint } from "../../support/webhooks/endpoints.ts";
import { BAD, DOT, GOOD } from "./tool-calls.ts";

const NOW = "2026-11-21T12:00:00Z";

let service: TestService;
let key: string;
let mcp: McpConnection;

beforeAll(async () => {
  service = await startServiceOfEveryFeed();
  const { db } = service.context;
  await setDetection(db, { finishedAt: NOW, asOf: AS_OF });
  await putEvents(
    db,
    Array.from({ length: 30 }, (_, index) => ({ usdot: Number(DOT) + (index % 3), detectedAt: NOW })),
  );
  const account = await service.createAccount(AMPLE);
  key = account.key;
  await registerEndpoint(service.context, account.accountId);
  mcp = await connectMcp(service, { "X-API-Key": key });
});
afterAll(() => service.stop());

const overHttp = async (path: string) => {
  const answer = await service.get(path, key);
  expect(answer.status).toBe(200);
  return answer.json();
};

describe("a tool gives what its operation gives", () => {
  it.each(GOOD)("%s %j", async (tool, args, path, rows) => {
    const expected = await overHttp(path);
    const { isError, texts, data } = await mcp.call(tool, args);
    expect({ isError, texts }).toMatchObject({ isError: false });
    const { cost, next: _, ...body } = data;
    expect(body).toEqual(expected);
    expect(cost).toEqual({ rows, requests: 1, rows_left: expect.any(Number) });
    expect(texts[0]).toContain(`${cost.rows} row`);
    expect(JSON.parse(texts[1] ?? "")).toEqual(data);
  });

  it("look_up_carriers, whose arguments are the body of its operation", async () => {
    const asked = { usdots: [DOT, "99999999"], dockets: ["x"] };
    const { isError, data } = await mcp.call("look_up_carriers", {
      ...asked,
      usdots: [Number(DOT), "99999999"],
    });
    expect(isError).toBe(false);
    const outcomes = (data.data as { query: string; outcome: string }[]).map((each) => [
      each.query,
      each.outcome,
    ]);
    expect(outcomes).toEqual([
      [DOT, "found"],
      ["99999999", "not_found"],
      ["x", "invalid"],
    ]);
    expect(data.cost).toEqual({ rows: 1, requests: 1, rows_left: expect.any(Number) });
    const none = await mcp.call("look_up_carriers", {});
    expect([none.isError, none.data.error]).toMatchObject([true, { code: "invalid_arguments" }]);
  });

  it("read_usage, which counts itself", async () => {
    const before = (await overHttp("/v1/usage")) as {
      usage: { api_requests: number };
      by_key: { requests: number }[];
    };
    const { cost, ...body } = (await mcp.call("read_usage")).data;
    const usage = { ...before.usage, api_requests: before.usage.api_requests + 1 };
    const by_key = before.by_key.map((each) => ({ ...each, requests: each.requests + 1 }));
    expect(body).toEqual({ ...before, usage, by_key });
    expect(cost).toEqual({ rows: 0, requests: 1, rows_left: body.limits.api_rows_left });
  });

  it.each(REVISIONS)("in revision %s", async (revision) => {
    const other = await connectMcp(service, { Authorization: `Bearer ${key}` }, revision);
    expect(other.client.getNegotiatedProtocolVersion()).toBe(revision);
    const { data } = await other.call("read_records", { code: "us_brokers", page_size: 2 });
    expect(data.data).toHaveLength(2);
  });
});

describe("next", () => {
  it("reads a feed to its end, from one version", async () => {
    const dots: string[] = [];
    let pages = 0;
    for (let next = { code: "us_brokers", state: ["TX", "OK"], page_size: 20 }; next; pages += 1) {
      const { data } = await mcp.call("read_records", next);
      dots.push(...data.data.map((record: { dot_number: string }) => record.dot_number));
      next = data.next;
      if (next)
        expect(next).toMatchObject({ page: pages + 2, version: data.meta.version, state: ["TX", "OK"] });
    }
    const whole = (await overHttp("/v1/feeds/us_brokers/records?state=TX,OK&page_size=1000")) as {
      data: { dot_number: string }[];
    };
    expect(dots).toEqual(whole.data.map((record) => record.dot_number));
    expect(pages).toBeGreaterThan(2);
  });

  it("reads a carrier's timeline to its end, from a day on", async () => {
    const history = { docket: "MC4300001", usdot: Number(DOT) };
    const days = ["2025-12-31", "2026-02-01", "2026-03-01", "2026-04-01", "2026-05-01", "2026-06-01"];
    await service.context.db.transaction(async (client) => {
      await putRows(client, "authority", history);
      for (const day of days) await putRegistryRow(client, "motus_authhist", { ...history, changed_on: day });
    });
    const { data } = (await overHttp(`/v1/carriers/${DOT}/timeline?since=2026-01-01`)) as { data: unknown[] };
    const entries: unknown[] = [];
    for (let next: Record<string, unknown> = { dot: DOT, since: "2026-01-01", limit: 4 }; next; ) {
      const answer = await mcp.call("carrier_timeline", next);
      entries.push(...answer.data.data);
      next = answer.data.next;
    }
    expect(entries).toEqual(data);
    expect(entries).toHaveLength(5);
  });

  it("reads events to their end, and says so", async () => {
    const first = await mcp.call("read_events", { since: "2026-11-01T00:00:00Z" });
    expect(first.data.next).toEqual({
      since: "2026-11-01T00:00:00Z",
      limit: 20,
      cursor: first.data.next_cursor,
    });
    expect(first.texts[0]).toContain("call read_events with the arguments in `next`");
    const second = await mcp.call("read_events", first.data.next);
    expect([first.data.data.length, second.data.data.length, second.data.next]).toEqual([20, 10, null]);
    expect(second.texts[0]).toContain("There is no further page now.");
  });
});

describe("a tool refuses arguments that do not fit, says which, and charges nothing", () => {
  it.each(BAD)("%s %j: %s", async (tool, args, code, says) => {
    const { isError, texts, data } = await mcp.call(tool, args);
    expect(isError).toBe(true);
    expect(data).toMatchObject({ error: { code }, cost: { rows: 0, requests: 1 } });
    expect(texts[0]).toContain(says);
  });
});

it("a tool answers any arguments, and never that it failed", async () => {
  const names = [
    "code",
    "page",
    "page_size",
    "state",
    "trucks_min",
    "version",
    "dot",
    "since",
    "cursor",
    "__proto__",
  ];
  const args = fc.dictionary(
    fc.oneof(fc.constantFrom(...names), fc.string()),
    fc.oneof(
      fc.jsonValue(),
      fc.string({ unit: anyCharacter }),
      fc.constantFrom("us_brokers", "1", 1, ["TX"]),
    ),
    { noNullPrototype: true },
  );
  const tools = fc.constantFrom("read_records", "look_up_carrier", "read_events", "list_feeds");
  await fc.assert(
    fc.asyncProperty(tools, args, async (tool, given) => {
      const answer = await postMessage(service, toolCall(tool, given), { key });
      const { result } = (await answer.json()) as { result: { structuredContent: { error?: object } } };
      expect(answer.status).toBe(200);
      expect(result.structuredContent.error ?? {}).not.toMatchObject({
        status: expect.toSatisfy(isOurFault),
      });
    }),
    { numRuns: 150 },
  );
});

const isOurFault = (status: number): boolean => status >= 500;

it("a removed business is in no answer of a tool, from the next call on", async () => {
  const seen = async () => {
    const page = { code: "us_brokers", page_size: 50 };
    const answers = [
      await mcp.call("look_up_carrier", { dot: DOT }),
      await mcp.call("read_events", { limit: 100 }),
    ];
    for (let next = page; next; next = answers.at(-1)?.data.next) {
      answers.push(await mcp.call("read_records", next));
    }
    return answers.map((answer) => JSON.stringify(answer).includes(`\\"${DOT}\\"`)).filter(Boolean).length;
  };
  expect(await seen()).toBe(3);
  await removeBusinesses(service.context.db, [Number(DOT)]);
  expect(await seen()).toBe(0);
  await undoRemovals(service.context.db);
});
