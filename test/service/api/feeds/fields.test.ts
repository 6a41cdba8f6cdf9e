// `fields` chooses columns: of pages, of NDJSON exports whole and in parts, and of changes. It chooses no rows, so it changes
// neither which records come nor what they cost.
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { columnNames, FEEDS, type Feed, type FeedCode, feedOf } from "../../../../src/feeds/catalogue.ts";
import { AMPLE } from "../../../support/feeds/every-feed.ts";
import { type FeedRecord, feedRecord } from "../../../support/feeds/published-feed.ts";
import { startTestService, type TestService } from "../../../support/service.ts";
import { BROKERS, broker, type Changes, idOf, publish, read, refusalOf, rowsUsed } from "./synced-feed.ts";

const ROWS = 700;
/** Texts that look like the members of a record. */
const HOSTILE = [
  'A","phone":"1',
  'B\\",\\"phone\\":2',
  '{"record_id":"x"}',
  'É ,"city":',
  "\\",
  ',"state":null}{',
];

const columnsOf = (feed: FeedCode): string[] => columnNames(feedOf(feed) as Feed);
const recordsOf = (feed: FeedCode): FeedRecord[] =>
  Array.from({ length: ROWS }, (_, index) =>
    feedRecord(feed, {
      dot_number: String(index + 1),
      company: `${HOSTILE[index % HOSTILE.length]} ${index}`,
      email: HOSTILE[(index + 1) % HOSTILE.length] ?? null,
      cargo: index % 2 === 0 ? ["produce", "meat"] : null,
      state: index % 3 === 0 ? "CA" : "TX",
    }),
  );

let service: TestService;
let key: string;
beforeAll(async () => {
  service = await startTestService();
  for (const { code: feed } of FEEDS) await publish(service, recordsOf(feed), { feed });
  ({ key } = await service.createAccount(AMPLE));
});
afterAll(() => service.stop());

/** The record with these columns and `record_id`, in the feed's order. */
const narrowed = (record: FeedRecord, fields: readonly string[]): FeedRecord =>
  Object.fromEntries(
    Object.entries(record).filter(([name]) => name === "record_id" || fields.includes(name)),
  );

const pathOf = (feed: string, form: string, query: string) => `/v1/feeds/${feed}/${form}?${query}`;
const textOf = async (path: string, sender = key): Promise<string> => {
  const answer = await service.get(path, sender);
  expect([path, answer.status]).toEqual([path, 200]);
  return answer.text();
};

describe.each(FEEDS.map(({ code }) => code))("%s", (feed) => {
  const someColumns = fc.shuffledSubarray(columnsOf(feed), { minLength: 1 });

  it("has the columns asked for and record_id on pages and in exports, in the feed's order", async () => {
    const whole = JSON.parse(await textOf(pathOf(feed, "records", "page_size=50&page=2"))) as {
      data: FeedRecord[];
    };
    const all = recordsOf(feed).length;
    await fc.assert(
      fc.asyncProperty(someColumns, async (fields) => {
        const page = await textOf(pathOf(feed, "records", `page_size=50&page=2&fields=${fields}`));
        const expected = whole.data.map((record) => narrowed(record, fields));
        expect(page).toBe(JSON.stringify({ ...whole, data: expected }));
        const lines = (await textOf(pathOf(feed, "export.ndjson", `fields=${fields}`))).split("\n");
        expect(lines).toHaveLength(all + 1);
        expect(lines.slice(50, 100)).toEqual(expected.map((record) => JSON.stringify(record)));
      }),
      { numRuns: 15 },
    );
  });

  it.each([
    ["records", "fields=phone,shoe_size"],
    ["export.ndjson", "fields=shoe_size"],
    ["changes", "since_version=1&fields=shoe_size"],
  ])("an unknown column on %s is refused with those that there are", async (form, query) => {
    const answer = await service.get(pathOf(feed, form, query), key);
    const { code, detail } = (await answer.json()) as { code: string; detail: string };
    expect([answer.status, code]).toEqual([400, "invalid_filter"]);
    expect(detail).toBe(
      `fields: "shoe_size" is no column of ${feed}. Allowed are ${columnsOf(feed).join(", ")}.`,
    );
  });
});

it.each([
  ["records", "fields=", [422, "query fields 0"]],
  ["records", "fields=phone,,city", [422, "query fields 1"]],
  ["records", "fields=phone,city,phone", [422, "query fields"]],
  ["records", "fields=phone&fields=city", [200, ""]],
  ["records", "fields=phone,%20city", [200, ""]],
  ["records", "fields=Phone", [400, "invalid_filter"]],
  ["export.csv", "fields=phone", [400, "invalid_filter"]],
  ["export.parquet", "fields=phone", [400, "invalid_filter"]],
  ["count", "fields=phone", [400, "invalid_filter"]],
])("%s?%s", async (form, query, expected) => {
  expect(await refusalOf(service, `${BROKERS}/${form}?${query}`, key)).toEqual(expected);
});

describe("a page", () => {
  it("has a tag of its own columns, in whatever order they are named", async () => {
    const tagOf = async (query: string, headers = {}) => {
      const answer = await service.get(pathOf(BROKERS, "records", query), key, headers);
      return [answer.status, answer.headers.get("etag")?.replace("W/", "")] as const;
    };
    const [, whole] = await tagOf("page_size=2");
    const [, phones] = await tagOf("page_size=2&fields=phone,city");
    expect(phones).not.toBe(whole);
    expect((await tagOf("page_size=2&fields=city,phone,record_id"))[1]).toBe(phones);
    expect((await tagOf("page_size=2&fields=city"))[1]).not.toBe(phones);
    expect(await tagOf("page_size=2&fields=city,phone", { "If-None-Match": phones })).toEqual([304, phones]);
    expect((await tagOf("page_size=2", { "If-None-Match": phones }))[0]).toBe(200);
  });

  it("costs what the whole costs, the first time and again", async () => {
    const { key: sender } = await service.createAccount(AMPLE);
    const path = pathOf(BROKERS, "records", "page_size=5&fields=phone");
    const head = await service.send("HEAD", path, { key: sender });
    expect(head.headers.get("x-quota-cost")).toBe("5");
    const answers = [await textOf(path, sender), await textOf(path, sender)];
    expect(answers[0]).toBe(answers[1]);
    expect(await rowsUsed(service, sender)).toBe(10);
  });
});

describe("an export", () => {
  const PHONES = pathOf(BROKERS, "export.ndjson", "state=TX&fields=phone,company");
  const plain = { "Accept-Encoding": "identity" };

  it("is charged once with any columns", async () => {
    const { key: sender } = await service.createAccount(AMPLE);
    const rows = recordsOf(BROKERS).filter(({ state }) => state === "TX").length;
    const costOf = async (path: string): Promise<string | null> => {
      const head = await service.send("HEAD", path, { key: sender });
      return head.headers.get("x-quota-cost");
    };
    expect(await costOf(PHONES)).toBe(String(rows));
    await textOf(PHONES, sender);
    expect(await rowsUsed(service, sender)).toBe(rows);
    const others = [
      pathOf(BROKERS, "export.ndjson", "state=TX&fields=city"),
      pathOf(BROKERS, "export.ndjson", "state=TX"),
      pathOf(BROKERS, "export.csv", "state=TX"),
    ];
    for (const path of others) {
      expect(await costOf(path)).toBe("0");
      await textOf(path, sender);
    }
    expect(await rowsUsed(service, sender)).toBe(rows);
  });

  it("continues by Range at any byte, with the tag of its own columns", async () => {
    const whole = await service.get(PHONES, key, plain);
    const etag = whole.headers.get("etag") ?? "";
    const bytes = Buffer.from(await whole.arrayBuffer());
    const head = await service.send("HEAD", PHONES, { key, headers: plain });
    expect([head.headers.get("etag"), head.headers.get("content-length")]).toEqual([etag, null]);
    await fc.assert(
      fc.asyncProperty(fc.nat(bytes.length - 1), fc.nat(5_000), async (first, more) => {
        const last = Math.min(first + more, bytes.length - 1);
        const headers = { ...plain, Range: `bytes=${first}-${last}`, "If-Match": etag };
        const part = await service.get(PHONES, key, headers);
        expect(part.headers.get("content-range")).toBe(`bytes ${first}-${last}/${bytes.length}`);
        expect(Buffer.from(await part.arrayBuffer()).equals(bytes.subarray(first, last + 1))).toBe(true);
      }),
      { numRuns: 25 },
    );
    const other = pathOf(BROKERS, "export.ndjson", "state=TX&fields=phone");
    expect((await service.get(other, key, { ...plain, "If-Match": etag })).status).toBe(412);
    const beyond = await service.get(PHONES, key, { ...plain, Range: `bytes=${bytes.length}-` });
    expect(beyond.headers.get("content-range")).toBe(`bytes */${bytes.length}`);
  });
});

describe("changes", () => {
  const SMALL = "us_revocation_pending";
  let since: number;
  let later: FeedRecord[];
  const changes = (query: string): Promise<Changes> =>
    read(service, `${BROKERS}/changes?since_version=${since}&${query}`, key);

  beforeAll(async () => {
    since = await publish(service, [broker("a"), broker("b"), broker("c")]);
    later = [
      broker("a", { city: "DALLAS", phone: "2145550100" }),
      broker("c", { zip: "75001" }),
      broker("d"),
    ];
    await publish(service, later);
  });

  it("have record, changed and before with these columns alone", async () => {
    const [whole, some] = [await changes(""), await changes("fields=phone,zip")];
    const fields = ["phone", "zip"];
    const byId = (data: Changes["data"]) => new Map(data.map((entry) => [entry.record_id, entry]));
    expect(byId(some.data).get(idOf("a"))).toMatchObject({
      record: narrowed(later[0] as FeedRecord, fields),
      changed: ["phone"],
      before: { phone: null },
    });
    const added = byId(some.data).get(idOf("d"));
    expect(added?.op === "added" && Object.keys(added.record)).toEqual(["zip", "phone", "record_id"]);
    expect(byId(some.data).get(idOf("b"))).toEqual(byId(whole.data).get(idOf("b")));
    expect(some.meta).toEqual(whole.meta);
  });

  it("are the same entries at the same price, also where none of these columns changed", async () => {
    const whole = await changes("");
    const cities = await changes("fields=city");
    const named = ({ data }: Changes) => data.map(({ op, record_id }) => `${op} ${record_id}`);
    expect(named(cities)).toEqual(named(whole));
    expect(cities.data.find(({ record_id }) => record_id === idOf("c"))).toMatchObject({
      changed: [],
      before: {},
    });
    const { key: sender } = await service.createAccount(AMPLE);
    await read(service, `${BROKERS}/changes?since_version=${since}&fields=city`, sender);
    expect(await rowsUsed(service, sender)).toBe(3);
  });

  it("go on by a cursor with other columns, as these choose no entries", async () => {
    const first = await changes("limit=1&fields=city");
    const rest: Changes = await read(service, `${BROKERS}/changes?cursor=${first.next_cursor}`, key);
    const whole = await changes("");
    expect(rest.data).toEqual(whole.data.slice(1));
  });

  it("of a feed without changes refuse an unknown column too", async () => {
    const { meta } = await read<{ meta: { version: number } }>(service, `${SMALL}/records?page_size=1`, key);
    const path = `${SMALL}/changes?since_version=${meta.version}&fields=shoe_size`;
    expect(await refusalOf(service, path, key)).toEqual([400, "invalid_filter"]);
  });
});

it("a column that an older version lacks is null", async () => {
  const older = [broker("a"), broker("b")].map(({ has_cell: _, ...rest }) => rest);
  await publish(service, older);
  const query = "fields=has_cell,city";
  const { data } = await read<{ data: FeedRecord[] }>(service, `${BROKERS}/records?${query}`, key);
  const expected = ["a", "b"].map((letter) => ({ city: "AUSTIN", record_id: idOf(letter), has_cell: null }));
  expect(data).toEqual(expected);
  const lines = await textOf(pathOf(BROKERS, "export.ndjson", query));
  expect(lines).toBe(expected.map((record) => `${JSON.stringify(record)}\n`).join(""));
});
