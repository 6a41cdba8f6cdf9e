import type pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  findMemberships,
  type Membership,
  verdictOn,
} from "../../../../src/carriers/explain/feed-membership.ts";
import { FEEDS, type FeedCode } from "../../../../src/feeds/catalogue.ts";
import { derivationOf, openCandidates, openRemovalList } from "../../../../src/feeds/derive/candidates.ts";
import { countLeftOut } from "../../../../src/feeds/publish/build.ts";
import { publishFeeds } from "../../../../src/feeds/publish/publish.ts";
import { FEED_RULES } from "../../../../src/feeds/rules/feed-rules.ts";
import type { FeedRules, Rule } from "../../../../src/feeds/rules/rule.ts";
import { versionTable } from "../../../../src/feeds/versions/feed-version.ts";
import type { Context } from "../../../../src/platform/context.ts";
import { recordCancellations } from "../../../../src/registry/authorities/motus-history.ts";
import { DATASETS } from "../../../../src/registry/datasets.ts";
import { refreshWords } from "../../../../src/registry/vocabularies/words.ts";
import { settableClock } from "../../../support/clock.ts";
import { openTestContext } from "../../../support/context.ts";
import { createTestDatabase, type TestDatabase } from "../../../support/database.ts";
import { putRandomRegistry } from "../../../support/registry/random-registry.ts";

const CARRIERS = 1_200;
const SOURCE_DAYS = new Map([
  ["motus_authhist", "2026-11-20"],
  ["motus_revokesuspend", "2026-11-19"],
  ["motus_insur", "2026-11-18"],
  ["motus_carrier", "2026-11-20"],
  ["motus_inshist", "2026-11-20"],
  ["census", "2026-11-20"],
] as const);

let database: TestDatabase;
let context: Context;

beforeAll(async () => {
  database = await createTestDatabase();
  context = await openTestContext(database.url, settableClock("2026-11-20T12:00:00Z"));
});

afterAll(async () => {
  await context.db.close();
  await database.drop();
});

interface World {
  /** Every record that is published: "feed USDOT docket class". */
  published: Set<string>;
  memberships: Membership[];
  /** The publication's counts of authorities left out, by feed and rule. */
  leftOut: Map<FeedCode, Record<string, number>>;
}

const USDOTS = Array.from({ length: CARRIERS }, (_, index) => index + 1);

/** Runs `run` over a random registry, and rolls everything back. */
async function withRandomRegistry<T>(seed: number, run: (client: pg.ClientBase) => Promise<T>): Promise<T> {
  const client = await context.db.bulkPool.connect();
  try {
    await client.query("BEGIN");
    await putRandomRegistry(client, { seed, carriers: CARRIERS });
    // Without statistics some plans are ten times as slow.
    await client.query("ANALYZE");
    await refreshWords(client, new Set(DATASETS));
    await recordCancellations(client, null);
    return await run(client);
  } finally {
    await client.query("ROLLBACK");
    client.release();
  }
}

/** Publishes a random registry and asks for each of its carriers whether it is in each feed. */
const worldOf = (seed: number): Promise<World> =>
  withRandomRegistry(seed, async (client) => {
    const feeds = await publishFeeds(client, {
      sourceDays: SOURCE_DAYS,
      now: context.clock.now(),
      sharedContactLimit: 5,
      hasRegistryChanged: true,
    });
    const published = new Set<string>();
    for (const { feed, version } of feeds) {
      const { rows } = await client.query<{ key: string }>(
        `SELECT concat_ws(' ', $1::text, usdot, json::json->>'docket_number',
           coalesce(json::json->>'authority_type', json::json->>'entity_type')) AS key FROM ${versionTable(version)}`,
        [feed],
      );
      for (const { key } of rows) published.add(key);
    }
    const { rows: versions } = await client.query<{ feed: FeedCode; asOf: string }>(
      `SELECT feed_current.feed_code AS feed, as_of AS "asOf" FROM feed_current JOIN feed_version ON id = version_id`,
    );
    const asOfDays = new Map(versions.map(({ feed, asOf }) => [feed, asOf]));
    const memberships = await membershipsOf(client, asOfDays);
    return {
      published,
      memberships,
      leftOut: new Map(feeds.map(({ feed, leftOut }) => [feed, leftOut ?? {}])),
    };
  });

/** The service asks for one carrier: its statements go through the rows of all that are asked for, again for each. */
const AT_ONCE = 100;

async function membershipsOf(
  client: pg.ClientBase,
  asOfDays: ReadonlyMap<FeedCode, string>,
  rules = FEED_RULES,
): Promise<Membership[]> {
  const found: Membership[] = [];
  for (let first = 0; first < CARRIERS; first += AT_ONCE) {
    await client.query("SAVEPOINT asked");
    found.push(...(await findMemberships(client, USDOTS.slice(first, first + AT_ONCE), asOfDays, rules)));
    await client.query("ROLLBACK TO asked");
  }
  return found;
}

const AS_OF = "2026-11-20";

const mapFeeds = <T>(of: (feed: FeedCode) => T) =>
  Object.fromEntries(FEEDS.map(({ code }) => [code, of(code)])) as Record<FeedCode, T>;

const keyOf = ({ feed, usdot, docket, authority_class }: Membership): string =>
  `${feed} ${usdot} ${docket} ${authority_class}`;

describe.each([1, 2, 3])("for every carrier of the random registry %i", (seed) => {
  let world: World;
  beforeAll(async () => {
    world = await worldOf(seed);
  });

  it("says that it is in a feed if a published version has its record, and out otherwise", () => {
    expect(world.published.size).toBeGreaterThan(1_000);
    const recorded = new Set(world.memberships.filter(({ record }) => record !== null).map(keyOf));
    expect(recorded).toEqual(world.published);
  });

  it("names a rule for each authority that is out, and none for one that is in", () => {
    for (const authority of world.memberships) {
      if (authority.record) expect([keyOf(authority), authority.failure]).toEqual([keyOf(authority), null]);
      else if (authority.failure === null) expect(FEED_RULES[authority.feed].unselected).not.toBeNull();
    }
  });

  it("names another record only if the company has one", () => {
    for (const feed of ["us_new_authority_weekly", "us_small_carriers_active", "us_brokers"] as const) {
      const passed = world.memberships.filter(
        (authority) => authority.feed === feed && authority.failure === null,
      );
      const perRecord = Map.groupBy(passed, ({ usdot, authority_class }) =>
        feed === "us_brokers" ? `${usdot} ${authority_class}` : usdot,
      );
      for (const same of perRecord.values())
        expect(same.filter(({ record }) => record !== null)).toHaveLength(1);
    }
  });

  it("meets every rule of every feed", () => {
    for (const { code } of FEEDS) {
      const met = new Set(
        world.memberships.filter(({ feed }) => feed === code).map(({ failure }) => failure),
      );
      expect([...met].sort()).toEqual([...FEED_RULES[code].rules.map((rule) => rule.code), null].sort());
    }
  });

  it("counts exactly the authorities that are out as left out", () => {
    for (const { code } of FEEDS) {
      const out = world.memberships.filter(({ feed, record }) => feed === code && record === null);
      const { rules, unselected } = FEED_RULES[code];
      const counts = Map.groupBy(
        out,
        ({ failure }) => (rules.find((rule) => rule.code === failure) ?? unselected)?.name ?? "",
      );
      expect(world.leftOut.get(code)).toEqual(
        Object.fromEntries([...counts].map(([rule, same]) => [rule, same.length])),
      );
    }
  });

  it("returns a sentence for every authority of every feed", () => {
    for (const [usdot, memberships] of Map.groupBy(world.memberships, (each) => each.usdot)) {
      for (const { code } of FEEDS) {
        const verdict = verdictOn(
          code,
          memberships.filter(({ feed }) => feed === code),
        );
        expect([usdot, verdict.is_in]).toEqual([
          usdot,
          memberships.some((each) => each.feed === code && each.record !== null),
        ]);
        expect(verdict.because.join()).not.toMatch(/undefined|null|not taken|: *$/);
        expect(verdict.because.length).toBeGreaterThan(0);
      }
    }
  });
});

it("an added rule changes the records, counts and explanations of each feed", async () => {
  const LARGE: Rule = {
    code: "small_number",
    name: "a small USDOT number",
    holds: `usdot > ${CARRIERS / 2}`,
    failed: ({ usdot }) => `its USDOT number ${usdot} is small`,
    passed: () => "its USDOT number is large",
  };
  const isSmall = ({ usdot }: { usdot: number }) => usdot <= CARRIERS / 2;
  const copy = mapFeeds((feed): FeedRules => {
    const { classes, rules, unselected, selected } = FEED_RULES[feed];
    return { classes, rules: [...rules, LARGE], unselected, selected };
  });
  await withRandomRegistry(4, async (client) => {
    await openRemovalList(client);
    await openCandidates(client, AS_OF);
    const counts = new Map<FeedCode, { records: number; leftOut: number | undefined }>();
    for (const { code } of FEEDS) {
      const usdotsBy = async (rules: FeedRules) =>
        (await client.query<{ usdot: number }>(`SELECT usdot FROM (${derivationOf(code, rules)}) AS record`))
          .rows;
      const records = await usdotsBy(copy[code]);
      expect((await usdotsBy(FEED_RULES[code])).some(isSmall)).toBe(true);
      expect(records.some(isSmall)).toBe(false);
      const leftOut = await countLeftOut(client, copy[code], records.length);
      counts.set(code, { records: records.length, leftOut: leftOut[LARGE.name] });
    }
    const memberships = await membershipsOf(client, new Map(FEEDS.map(({ code }) => [code, AS_OF])), copy);
    for (const { code } of FEEDS) {
      const found = memberships.filter(({ feed }) => feed === code);
      const small = found.filter(({ failure }) => failure === LARGE.code);
      const inFeed = found.filter(({ record }) => record !== null);
      expect(Math.min(small.length, inFeed.length)).toBeGreaterThan(0);
      expect(counts.get(code)).toEqual({ records: inFeed.length, leftOut: small.length });
      const because = (some: Membership | undefined) =>
        verdictOn(
          code,
          found.filter(({ usdot }) => usdot === some?.usdot),
          copy[code],
        ).because.join();
      expect(because(small[0])).toContain(`its USDOT number ${small[0]?.usdot} is small`);
      expect(because(inFeed[0])).toContain("its USDOT number is large");
    }
  });
});
