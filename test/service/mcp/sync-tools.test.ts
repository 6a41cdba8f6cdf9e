// The tools that count, and that tell what changed: so that an agent need not read a feed to answer "how many" and "what is new".
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { AMPLE } from "../../support/feeds/every-feed.ts";
import { connectMcp, type McpConnection } from "../../support/mcp.ts";
import { startTestService, type TestService } from "../../support/service.ts";
import { BROKERS, broker, publish, rowsUsed } from "../api/feeds/synced-feed.ts";

let service: TestService;
let key: string;
let mcp: McpConnection;
let since: number;
const LETTERS = [..."abcdefghijklmnop"];

beforeAll(async () => {
  service = await startTestService();
  since = await publish(
    service,
    LETTERS.slice(0, 8).map((letter) => broker(letter)),
  );
  await publish(
    service,
    LETTERS.slice(1).map((letter) =>
      broker(letter, { phone: "2145550100", state: letter < "e" ? "CA" : "TX" }),
    ),
  );
  ({ key } = await service.createAccount(AMPLE));
  mcp = await connectMcp(service, { "X-API-Key": key });
  await mcp.client.listTools();
});
afterAll(() => service.stop());

const overHttp = async (path: string) => (await service.get(`/v1/feeds/${BROKERS}/${path}`, key)).json();

describe("count_records", () => {
  it("counts by value, and tells what reading would cost beside what the call cost", async () => {
    const { data, texts } = await mcp.call("count_records", { code: BROKERS, by: "state", state: "TX,CA" });
    const { cost: reading_cost, ...body } = (await overHttp("count?by=state&state=TX,CA")) as {
      cost: object;
    };
    const { rows_left } = reading_cost as { rows_left: number };
    expect(data).toEqual({ ...body, reading_cost, cost: { rows: 0, requests: 1, rows_left } });
    expect(data.by).toEqual([
      { value: "TX", rows: 12 },
      { value: "CA", rows: 3 },
    ]);
    expect(texts[0]).toContain("This call cost 0 rows");
  });

  it("refuses a column that can't be counted", async () => {
    const { data, texts } = await mcp.call("count_records", { code: BROKERS, by: "company" });
    expect(data.error.code).toBe("invalid_filter");
    expect(texts[0]).toContain("Allowed are state");
  });
});

describe("feed_changes", () => {
  it("tells what changed since a version, ten entries at a time, to the end", async () => {
    const { key: sender } = await service.createAccount(AMPLE);
    const reader = await connectMcp(service, { "X-API-Key": sender });
    const entries: { op: string }[] = [];
    const sizes: number[] = [];
    for (let next: object | null = { code: BROKERS, since_version: since }; next; ) {
      const { data } = await reader.call("feed_changes", next as Record<string, unknown>);
      entries.push(...data.data);
      sizes.push(data.data.length);
      next = data.next;
    }
    const whole = (await overHttp(`changes?since_version=${since}`)) as { data: { op: string }[] };
    expect(entries).toEqual(whole.data);
    expect(sizes).toEqual([10, 6]);
    expect(await rowsUsed(service, sender)).toBe(entries.filter(({ op }) => op !== "removed").length);
  });

  it("is bounded like read_records", async () => {
    const { texts } = await mcp.call("feed_changes", { code: BROKERS, since_version: since, limit: 51 });
    expect(texts[0]).toContain("limit must be at most 50");
  });

  it("says what to do when the version is too old", async () => {
    const { data, texts } = await mcp.call("feed_changes", { code: BROKERS, since_version: 999_999 });
    expect(data.error).toMatchObject({ status: 410, code: "version_expired" });
    // It said to take an export, which no tool does.
    expect(texts[0]).toContain("Read all records with read_records, and continue from their version.");
    expect(texts[0]).toContain(
      "Read all records with read_records, keep their version, and ask for the changes",
    );
    expect(texts[0]).not.toContain("export");
  });
});

describe("fields", () => {
  it("choose the columns of records and of changes", async () => {
    const fields = ["phone", "state"];
    const records = await mcp.call("read_records", { code: BROKERS, page_size: 2, fields });
    expect(records.data.data.map((record: object) => Object.keys(record))).toEqual([
      ["state", "phone", "record_id"],
      ["state", "phone", "record_id"],
    ]);
    expect(records.data.next).toMatchObject({ fields, page: 2 });
    const changes = await mcp.call("feed_changes", { code: BROKERS, since_version: since, fields: "phone" });
    const changed = changes.data.data.find(({ op }: { op: string }) => op === "changed");
    expect(Object.keys(changed.record)).toEqual(["phone", "record_id"]);
    expect(changed.changed).toEqual(["phone"]);
  });

  it("that the feed does not have are refused with those that there are", async () => {
    const { texts } = await mcp.call("read_records", { code: BROKERS, fields: ["shoe_size"] });
    expect(texts[0]).toContain(`"shoe_size" is no column of ${BROKERS}. Allowed are company, dba_name`);
  });
});
