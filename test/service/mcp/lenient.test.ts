// Models write an argument in another type than the schema's: 4312907 for "4312907", "TX" for ["TX"]. The meaning is clear.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { setDetection } from "../../support/events/events.ts";
import { AMPLE, startServiceOfEveryFeed } from "../../support/feeds/every-feed.ts";
import { AS_OF } from "../../support/feeds/every-record.ts";
import { connectMcp, type McpConnection } from "../../support/mcp.ts";
import type { TestService } from "../../support/service.ts";

let service: TestService;
let mcp: McpConnection;
beforeAll(async () => {
  service = await startServiceOfEveryFeed();
  await setDetection(service.context.db, { finishedAt: "2026-11-21T12:00:00Z", asOf: AS_OF });
  const { key } = await service.createAccount(AMPLE);
  mcp = await connectMcp(service, { "X-API-Key": key });
});
afterAll(() => service.stop());

type Args = Record<string, unknown>;

const SAME: [tool: string, written: Args, meant: Args][] = [
  ["look_up_carrier", { dot: 4_300_001 }, { dot: "4300001" }],
  ["read_records", { page: "2", page_size: "3" }, { page: 2, page_size: 3 }],
  ["read_records", { state: "TX" }, { state: ["TX"] }],
  ["read_records", { state: "TX, CA" }, { state: ["TX", "CA"] }],
  ["read_records", { has_cell: "true" }, { has_cell: true }],
  ["read_records", { has_cell: "False" }, { has_cell: false }],
  [
    "read_events",
    { type: "new_authority_granted", limit: "2" },
    { type: ["new_authority_granted"], limit: 2 },
  ],
];

describe("an argument in another type means the same", () => {
  it.each(SAME)("%s %j is %j", async (tool, written, meant) => {
    const code = tool === "read_records" ? { code: "us_brokers" } : {};
    const answer = await mcp.call(tool, { ...code, ...written });
    expect(answer).toMatchObject({ isError: false });
    const { cost: _, ...data } = answer.data;
    const { cost: __, ...expected } = (await mcp.call(tool, { ...code, ...meant })).data;
    expect(data).toEqual(expected);
  });
});

const REFUSED: [tool: string, args: Args, says: string][] = [
  ["look_up_carrier", { dot: 4_300_001.5 }, "dot must be 1 to 8 digits"],
  ["look_up_carrier", { dot: true }, "dot must be text"],
  ["read_records", { code: "us_brokers", page: "" }, "page must be a whole number"],
  ["read_records", { code: "us_brokers", page: "1e1" }, "page must be a whole number"],
  ["read_records", { code: "us_brokers", page: null }, "page must be a whole number"],
  ["read_records", { code: "us_brokers", page: [1] }, "page must be a whole number"],
  ["read_records", { code: "us_brokers", has_cell: "yes" }, "has_cell must be true or false"],
  ["read_records", { code: "us_brokers", has_cell: null }, "has_cell must be true or false"],
  ["read_records", { code: "us_brokers", state: null }, "state must be a list"],
];

describe("an argument that may mean something else is refused", () => {
  it.each(REFUSED)("%s %j", async (tool, args, says) => {
    const { isError, texts } = await mcp.call(tool, args);
    expect(isError).toBe(true);
    expect(texts[0]).toContain(says);
  });
});

describe("an error names tools, not addresses", () => {
  it("a filter that the feed does not have", async () => {
    const { texts, data } = await mcp.call("read_records", { code: "us_brokers", trucks_min: 1 });
    expect(texts[0]).toContain("allowed_filters in list_feeds lists the feed's filters");
    expect(JSON.stringify(data)).not.toContain("/v1/");
  });

  it("a quota without the rows", async () => {
    const { key } = await service.createAccount({ ...AMPLE, rowsPerMonth: 1 });
    const poor = await connectMcp(service, { "X-API-Key": key });
    const { texts, data } = await poor.call("read_records", { code: "us_brokers" });
    expect(texts[0]).toContain("read_usage reports api_rows_left");
    expect(data.error.meaning).toContain("read_usage reports api_rows_left");
  });
});
