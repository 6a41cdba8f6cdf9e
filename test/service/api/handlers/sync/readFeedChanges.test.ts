import { beforeAll, describe, expect, it } from "vitest";
import { FEEDS, type FeedCode } from "../../../../../src/feeds/catalogue.ts";
import { AMPLE } from "../../../../support/feeds/every-feed.ts";
import { recordsOf } from "../../../../support/feeds/every-record.ts";
import { REFUSED_BY_FEED, USUAL_BY_FEED } from "../../../../support/feeds/filter-table.ts";
import type { FeedRecord } from "../../../../support/feeds/published-feed.ts";
import {
  BROKERS,
  broker,
  type Changes,
  type Count,
  checkpointOf,
  idOf,
  publish,
  read,
  refusalOf,
  rowsUsed,
} from "../../feeds/synced-feed.ts";
import { changes, idsOf, key, refusal, service, useFeedChanges } from "./feed-changes.ts";

useFeedChanges();

describe("the specification's filter table", () => {
  const versions = new Map<string, [none: number, all: number]>();
  beforeAll(async () => {
    for (const { code: feed } of FEEDS) {
      versions.set(feed, [
        await publish(service, [], { feed }),
        await publish(service, recordsOf(feed), { feed }),
      ]);
      await publish(service, [], { feed });
    }
  });
  const versionsOf = (feed: FeedCode) => versions.get(feed) ?? [0, 0];

  it.each(USUAL_BY_FEED)("%s with %s judges what a version has and what it had", async (feed, query, one) => {
    const matching = recordsOf(feed).filter(one.holds);
    const [none, all] = versionsOf(feed);
    const came = await changes(`since_version=${none}&to_version=${all}&limit=1000&${query}`, key, feed);
    const added = came.data.flatMap((change) => (change.op === "added" ? [change.record as FeedRecord] : []));
    expect(added).toHaveLength(came.data.length);
    expect(idsOf(added)).toEqual(idsOf(matching));
    expect(came.meta.checkpoint).toEqual(checkpointOf(all, matching));
    const left = await changes(`since_version=${all}&limit=1000&${query}`, key, feed);
    expect(left.data.every(({ op }) => op === "removed")).toBe(true);
    expect(left.data.map(({ record_id }) => record_id).sort()).toEqual(idsOf(matching));
  });

  it.each(REFUSED_BY_FEED)("%s refuses %s", async (feed, query) => {
    const answer = await refusalOf(service, `${feed}/changes?since_version=1&${query}`, key);
    expect(answer).toEqual([400, "invalid_filter"]);
  });
});

describe("between two versions", () => {
  let [first, second] = [0, 0];
  const later = [
    broker("a", { city: "DALLAS", phone: "2145550100" }),
    broker("c", { state: "CA" }),
    broker("e", { last_verified: "2026-11-21", days_in_business: 8 }),
    broker("f", { authority_types: null, state: null }),
  ];
  beforeAll(async () => {
    const before = [
      broker("a"),
      broker("b"),
      broker("c"),
      broker("e", { last_verified: "2026-11-20", days_in_business: 7 }),
    ];
    first = await publish(service, before);
    second = await publish(service, later);
  });

  it("each record that differs has one entry, which says what to do", async () => {
    const { data, next_cursor, meta } = await changes(`since_version=${first}`);
    expect(next_cursor).toBeNull();
    expect(data.toSorted((one, other) => one.record_id.localeCompare(other.record_id))).toEqual([
      {
        op: "changed",
        version: second,
        record_id: idOf("a"),
        record: later[0],
        changed: ["city", "phone"],
        before: { city: "AUSTIN", phone: null },
      },
      { op: "removed", version: second, record_id: idOf("b"), reason: "authority_not_active" },
      {
        op: "changed",
        version: second,
        record_id: idOf("c"),
        record: later[1],
        changed: ["state"],
        before: { state: "TX" },
      },
      { op: "added", version: second, record_id: idOf("f"), record: later[3] },
    ]);
    expect(meta).toEqual({
      feed: BROKERS,
      since_version: first,
      to_version: second,
      checkpoint: checkpointOf(second, later),
      verified_on: { motus: "2026-11-20", legacy: "2026-05-14" },
    });
  });

  it.each([
    ["", 3],
    ["&op=added", 1],
    ["&op=changed", 2],
    ["&op=removed", 0],
    ["&state=TX", 1],
    ["&limit=1000", 3],
  ])("added and changed records cost a row, removed ones nothing: %s", async (query, cost) => {
    const { key: sender } = await service.createAccount({ ...AMPLE, rowsPerMonth: cost });
    const path = `/v1/feeds/${BROKERS}/changes?since_version=${first}${query}`;
    await service.send("HEAD", path, { key: sender });
    const { data } = await changes(`since_version=${first}${query}`, sender);
    expect(data.filter(({ op }) => op !== "removed")).toHaveLength(cost);
    expect(await rowsUsed(service, sender)).toBe(cost);
    // Of others there is none left; of two states, the rows are not those.
    const others = await refusal(`since_version=${first}&state=TX,CA`, sender);
    expect(others).toEqual([429, "quota_exceeded"]);
  });

  it("nothing new is an empty answer, and free", async () => {
    const { data, next_cursor, meta } = await changes(`since_version=${second}`);
    expect([data, next_cursor, meta.checkpoint]).toEqual([[], null, checkpointOf(second, later)]);
  });

  it("pages of any size together are the same, and a cursor needs no since_version", async () => {
    const whole = await changes(`since_version=${first}`);
    const data: Changes["data"] = [];
    let page = await changes(`since_version=${first}&limit=1`);
    for (; page.next_cursor !== null; page = await changes(`limit=1&cursor=${page.next_cursor}`)) {
      data.push(...page.data);
      expect(page.data).toHaveLength(1);
    }
    expect([...data, ...page.data]).toEqual(whole.data);
  });

  it("a cursor is only for the same account, feed, op and filters", async () => {
    const { next_cursor: cursor } = await changes(`since_version=${first}&limit=1`);
    const { key: other } = await service.createAccount(AMPLE);
    expect(await refusal(`cursor=${cursor}`)).toEqual([200, ""]);
    expect(await refusal(`cursor=${cursor}`, other)).toEqual([422, "query cursor"]);
    const others = [
      `cursor=${cursor}x`,
      `cursor=${cursor}&op=added`,
      `cursor=${cursor}&state=TX`,
      "cursor=x",
    ];
    for (const query of others) expect(await refusal(query)).toEqual([422, "query cursor"]);
    const elsewhere = `us_small_carriers_active/changes?cursor=${cursor}`;
    expect(await refusalOf(service, elsewhere, key)).toEqual([422, "query cursor"]);
  });

  it.each(["", "since_version=0", "since_version=x", "op=moved", "limit=0", "limit=1001", "to_version=0"])(
    "the contract refuses: %s",
    async (query) => {
      const [status, place] = await refusal(query);
      expect([status, place]).toEqual([422, `query ${query.split("=")[0] || "since_version"}`]);
    },
  );

  it("filters judge both versions, and the plan's states too", async () => {
    const gone = (letter: string, reason: string) => [
      { op: "removed", version: second, record_id: idOf(letter), reason },
    ];
    const { key: texan } = await service.createAccount({ ...AMPLE, feeds: { [BROKERS]: ["TX"] } });
    const left = async (query: string, sender: string) =>
      (await changes(`since_version=${first}&op=removed${query}`, sender)).data;
    const inactive = gone("b", "authority_not_active");
    expect(await left("&state=TX", key)).toEqual(expect.arrayContaining(gone("c", "no_longer_matches")));
    expect(await left("", texan)).toEqual(expect.arrayContaining(gone("c", "outside_regions")));
    expect(await left("", texan)).toEqual(expect.arrayContaining(inactive));
    expect((await changes(`since_version=${first}&state=CA`)).data).toEqual([
      { op: "added", version: second, record_id: idOf("c"), record: later[1] },
    ]);
  });

  it("a version of another feed, an unknown one and one that can't be read are 410", async () => {
    const { meta } = await read<Count>(service, "us_small_carriers_active/count", key);
    for (const query of [
      "since_version=2147483647",
      `since_version=${meta.version}`,
      `since_version=${first}&to_version=2147483647`,
    ]) {
      expect([query, ...(await refusal(query))]).toEqual([query, 410, "version_expired"]);
    }
  });
});

// This one moves the clock, so it comes last.
it("changes are kept for 90 days, and errors come in the contract's order", async () => {
  const start = await publish(service, [broker("m")]);
  service.clock.advance(89 * 86_400_000);
  const asOf = service.clock.now().toISOString().slice(0, 10);
  await publish(service, [broker("n")], { asOf });
  expect((await changes(`since_version=${start}`)).data).toHaveLength(2);
  service.clock.advance(86_400_001);
  await publish(service, [broker("n")], { asOf });
  expect(await refusal(`since_version=${start}`)).toEqual([410, "version_expired"]);
  expect(await refusal(`since_version=${start}&state=ZZ`)).toEqual([400, "invalid_filter"]);
  await publish(service, [broker("n")], { asOf: "2026-11-01" });
  expect(await refusal(`since_version=${start}&state=ZZ`)).toEqual([400, "invalid_filter"]);
  expect(await refusal(`since_version=${start}`)).toEqual([503, "stale_source"]);
});
