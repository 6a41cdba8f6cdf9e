// Pages come from the file of a version's rows once it is there, from the database until then, and are the same bytes.
import { readdir, rm, truncate, writeFile } from "node:fs/promises";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Caller } from "../../../../src/accounts/keys/caller.ts";
import { type Feed, feedOf } from "../../../../src/feeds/catalogue.ts";
import { keepRowsPrepared } from "../../../../src/feeds/row-files/keep-prepared.ts";
import { prepareRows } from "../../../../src/feeds/row-files/read-lines.ts";
import { openRowFile } from "../../../../src/feeds/row-files/row-file.ts";
import { indexBusinesses } from "../../../../src/feeds/versions/business-index.ts";
import type { FeedVersion } from "../../../../src/feeds/versions/feed-version.ts";
import { currentVersion } from "../../../../src/feeds/versions/versions.ts";
import type { Context } from "../../../../src/platform/context.ts";
import { type FeedsFixture, openFeedsFixture } from "../../../support/feeds/feeds-fixture.ts";
import { feedRecord, publishFeed } from "../../../support/feeds/published-feed.ts";
import { fillRowCache } from "../../../support/feeds/row-cache.ts";
import { lookedUp } from "../../../support/looked-up.ts";
import { memoryLog } from "../../../support/memory-log.ts";
import { removeBusinesses } from "../../../support/removals/removals.ts";
import { changeRows } from "../../../support/rows.ts";
import { type Asked, BROKERS, pageOf, REQUESTS } from "./asked-pages.ts";

const COUNT = 700;

let fixture: FeedsFixture;
let caller: Caller;
let version: number;
beforeEach(async () => {
  fixture = await openFeedsFixture();
  caller = await fixture.caller({ feeds: { [BROKERS]: null }, rowsPerMonth: 10_000_000 });
  version = await publish("ÉTOILE");
});
afterEach(() => fixture.close());

/** Long rows now and then, so that a list of rows takes several reads. */
const publish = (company: string): Promise<number> =>
  publishFeed(fixture.context.db, BROKERS, {
    records: Array.from({ length: COUNT }, (_, index) =>
      feedRecord(BROKERS, {
        company: `${company} ${index + 1}`,
        dot_number: String(index + 1),
        state: ["TX", "CA", "NY"][index % 3] as string,
        street: "x".repeat(index % 50 === 1 ? 20_000 : index % 97),
      }),
    ),
    asOf: "2026-11-20",
    now: fixture.clock.now(),
  });

const page = (context: Context, asked: Asked): Promise<string> => pageOf(context, caller, asked);
const pagesOf = (context: Context): Promise<string[]> =>
  Promise.all(REQUESTS.map((asked) => page(context, asked)));

/** A process that reads from the version's file, and the database has other rows meanwhile. */
async function withFile(): Promise<Context> {
  const context = await fixture.openAnother();
  await prepare(context);
  return context;
}

const prepare = (context: Context): Promise<FeedVersion> => fillRowCache(context, BROKERS);

/** Other rows of the same columns: a process may ask the database for the columns of a version at any time. */
const changeDatabase = () =>
  changeRows(fixture.context.db.pool, `published.feed_${version}`, {
    json: JSON.stringify(feedRecord(BROKERS, { company: "OF THE DATABASE" })),
  });

const cache = () => path.join(fixture.context.config.dataDir, "cache");
const cacheFiles = async (): Promise<string[]> =>
  (await readdir(cache(), { recursive: true })).filter((name) => name.includes(".ndjson"));
const fileOf = async (): Promise<string> =>
  path.join(cache(), (await cacheFiles()).find((name) => name.endsWith(".ndjson")) ?? "");

/** Pages of a process that can't have files. */
async function fromDatabase(): Promise<string[]> {
  const context = await fixture.openAnother();
  const blocked = path.join(context.config.dataDir, "blocked");
  await writeFile(blocked, "");
  return pagesOf({ ...context, config: { ...context.config, dataDir: blocked } });
}

describe("a page", () => {
  it("is the same from the file and from the database", async () => {
    const expected = await fromDatabase();
    expect(await cacheFiles().catch(() => [])).toEqual([]);
    const context = await withFile();
    await changeDatabase();
    const found = await pagesOf(context);
    expect(found).toEqual(expected);
    expect(found[0]).toContain("ÉTOILE 1");
  });

  it("comes from the database while the file is made, and makes the service make it", async () => {
    const context = await fixture.openAnother();
    await page(context, {});
    await prepare(context);
    expect(await cacheFiles()).toHaveLength(2);
    await changeDatabase();
    expect(await page(context, { page: 2 })).toContain("ÉTOILE 101");
  });

  it("comes from the same file as an export that waited for it while it was made without haste", async () => {
    const expected = await fromDatabase();
    const context = await fixture.openAnother();
    const served = await currentVersion(context, feedOf(BROKERS) as Feed);
    if (!served) throw new Error("There is no version.");
    const inTheBackground = prepareRows(context, served);
    const { file, lengths } = await openRowFile(context, served, "ndjson");
    await inTheBackground;
    const lines = (await file.readFile("utf8")).split("\n");
    await file.close();
    expect([lines.length - 1, lengths.length]).toEqual([COUNT, COUNT]);
    expect(await cacheFiles()).toHaveLength(2);
    await changeDatabase();
    expect(await pagesOf(context)).toEqual(expected);
  });

  it("has no business that was removed since, in a range and in a list", async () => {
    const context = await withFile();
    await removeBusinesses(context.db, [3, 4, 250, 700], new Date(fixture.clock.now().getTime() + 1000));
    await changeDatabase();
    const found = await pagesOf(context);
    for (const number of [3, 4, 250, 700]) expect(found.join()).not.toContain(`ÉTOILE ${number}"`);
    expect(await page(context, {})).toContain("ÉTOILE 102");
  });

  it("of a file that was cut, or removed with its folder, is whole", async () => {
    const expected = await fromDatabase();
    const reading = await withFile();
    await rm(cache(), { recursive: true });
    expect(await pagesOf(reading)).toEqual(expected);
    const cut = await withFile();
    await truncate(await fileOf(), 5_000);
    expect(await pagesOf(cut)).toEqual(expected);
    // Another process finds that it is not whole, and makes it anew.
    const later = await withFile();
    await changeDatabase();
    expect(await pagesOf(later)).toEqual(expected);
  });

  it("comes from the database while no file can be made, and from a file a minute after it can", async () => {
    const { log, lines } = memoryLog();
    const context = { ...(await fixture.openAnother()), log };
    await writeFile(cache(), "no folder");
    await prepare(context);
    expect(await page(context, {})).toContain("ÉTOILE 1");
    expect(await page(context, { page: 2 })).toContain("ÉTOILE 101");
    expect(lines().filter(({ level }) => level === "warn")).toEqual([
      expect.objectContaining({
        feed: BROKERS,
        version,
        msg: "A feed's rows could not be cached in a file.",
      }),
    ]);
    await rm(cache());
    await prepare(context);
    expect(await cacheFiles().catch(() => [])).toEqual([]);
    fixture.clock.advance(60_000);
    await prepare(context);
    await changeDatabase();
    expect(await page(context, { page: 3 })).toContain("ÉTOILE 201");
  });

  it("of two processes that share a folder is the same, and what a killed one left is no hindrance", async () => {
    const expected = await fromDatabase();
    const [one, two] = [await fixture.openAnother(), await fixture.openAnother()];
    await Promise.all([prepare(one), prepare(two)]);
    const name = await fileOf();
    await rm(`${name}.lengths`);
    await writeFile(`${name}.elsewhere.7.part`, "half");
    const three = await withFile();
    await changeDatabase();
    for (const context of [one, two, three]) expect(await pagesOf(context)).toEqual(expected);
  });
});

describe("a carrier", () => {
  const NUMBERS = [77, 78, 79, 80, 77 + 64];
  /** Not in the order of their numbers, several of one business, and two whose numbers end alike. */
  beforeEach(async () => {
    const businesses = [
      { dot_number: "141", company: "ENDS ALIKE" },
      { dot_number: "77", entity_type: "broker", state: "TX" },
      { dot_number: "80", company: 'QUOTED \\ "ÉTOILE"', state: null },
      { dot_number: "77", entity_type: "freight_forwarder", state: "CA" },
      { dot_number: "78", company: "REMOVED LATER" },
    ];
    version = await publishFeed(fixture.context.db, BROKERS, {
      records: businesses.map((business) => feedRecord(BROKERS, business)),
      asOf: "2026-11-20",
      now: fixture.clock.now(),
    });
  });

  const carriersOf = (context: Context) =>
    Promise.all(
      NUMBERS.map((usdot) => lookedUp(context, caller, String(usdot)).catch(({ code }) => String(code))),
    );

  it("is the same from the file, once it is known where the rows of businesses are, and removed as well", async () => {
    const expected = await carriersOf(fixture.context);
    expect(
      expected.map((carrier) => (typeof carrier === "string" ? carrier : carrier.records.length)),
    ).toEqual([2, 1, "not_found", 1, 1]);
    const context = await fixture.openAnother();
    await indexBusinesses(context, await prepare(context));
    await changeDatabase();
    expect(await carriersOf(context)).toEqual(expected);
    await removeBusinesses(context.db, [78], new Date(fixture.clock.now().getTime() + 1000));
    expect(await carriersOf(context)).toEqual(expected.with(1, "not_found"));
  });
});

it("a service makes the files of the versions that are served, in the background", async () => {
  const stop = keepRowsPrepared(fixture.context);
  await expect.poll(() => cacheFiles().catch(() => [])).toHaveLength(2);
  await stop();
});
