// Pages of events come from files once enough readers asked for them, from the database until then, and are the same bytes.
import { randomInt } from "node:crypto";
import { mkdir, readdir, readlink, rm, truncate, writeFile } from "node:fs/promises";
import path from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Caller } from "../../../src/accounts/keys/caller.ts";
import { cursorAt } from "../../../src/events/cursor.ts";
import { forgetEvents, withdrawDetected } from "../../../src/events/detect/detect.ts";
import { EVENT_TYPES } from "../../../src/events/event-types.ts";
import type { EventsQuery } from "../../../src/events/query.ts";
import { type EventsOut, readEvents } from "../../../src/events/read.ts";
import type { Context } from "../../../src/platform/context.ts";
import { instanceId } from "../../../src/platform/installation/installation.ts";
import { statementNames } from "../../support/database/statement-names.ts";
import { putUnevenEvents, setDetection } from "../../support/events/events.ts";
import { type FeedsFixture, openFeedsFixture } from "../../support/feeds/feeds-fixture.ts";
import { EVERYTHING } from "../../support/feeds/served-feeds.ts";
import { memoryLog } from "../../support/memory-log.ts";
import { removeBusinesses, undoRemovals } from "../../support/removals/removals.ts";
import { changeRows, putRows } from "../../support/rows.ts";

/** Two whole files, and one that is not full. */
const EVENTS = 40_000;
const FILE_STARTS = [0, 16_384, 32_768];
const PER_PAGE = 100;

let fixture: FeedsFixture;
let caller: Caller;
/** Of the process that has files. */
let statements: string[];
beforeAll(async () => {
  fixture = await openFeedsFixture();
  await setDetection(fixture.context.db, { finishedAt: "2026-11-20T11:20:06Z", asOf: "2026-11-20" });
  await putUnevenEvents(fixture.context, EVENTS);
  caller = await fixture.caller({ feeds: EVERYTHING.feeds, rowsPerMonth: 100_000_000 });
  statements = statementNames(fixture.context.db.pool);
});
afterAll(() => fixture.close());

type Asked = Pick<EventsQuery, "type" | "state"> & { limit?: number };

async function page(context: Context, position: number, asked: Asked = {}, reader = caller): Promise<string> {
  const owner = { instanceId: await instanceId(context), accountId: reader.accountId };
  const query = { limit: PER_PAGE, ...asked, cursor: cursorAt(owner, position) };
  return String((await readEvents(context, reader, query)).json);
}

const idsOf = (json: string): number[] => (JSON.parse(json) as EventsOut).data.map(({ id }) => id);

/** Whether the database is asked for a page's events. */
async function asksDatabase(position: number): Promise<boolean> {
  statements.length = 0;
  await page(fixture.context, position);
  return statements.includes("events/readNear");
}

/** Asks for pages until these come from files. */
async function fill(positions: readonly number[] = FILE_STARTS): Promise<void> {
  for (const position of positions)
    await expect.poll(() => asksDatabase(position), { interval: 5 }).toBe(false);
}

const folderOf = ({ config }: Context): string => path.join(config.dataDir, "cache");

/** Another process, which can make no file. */
async function withoutFiles(): Promise<{ context: Context; lines: () => Record<string, unknown>[] }> {
  const context = await fixture.openAnother();
  const dataDir = path.join(context.config.dataDir, "full");
  await writeFile(dataDir, "", { flag: "a" });
  const { log, lines } = memoryLog();
  return { context: { ...context, log, config: { ...context.config, dataDir } }, lines };
}

const seed = randomInt(1_000_000);

describe("pages of events from files", () => {
  it(`are those of the database, for every position, scope and size (seed ${seed})`, async () => {
    const { context } = await withoutFiles();
    const feeds = { us_new_authority_weekly: ["TX", "GU"], us_revocation_pending: ["CA"] };
    const small = await fixture.caller({ feeds, rowsPerMonth: 100_000_000 });
    const removed = Array.from({ length: 500 }, (_, index) => 1 + index * 79);
    await removeBusinesses(fixture.context.db, removed);
    await fill();
    const position = fc.oneof(
      fc.integer({ min: 0, max: EVENTS }),
      ...[16_384, 32_768, EVENTS].map((end) => fc.integer({ min: end - 120, max: end + 2 })),
    );
    const asked = fc.record(
      {
        type: fc.subarray(["new_authority_granted", "reinstated", "authority_inactive"] as const, {
          minLength: 1,
        }),
        state: fc.subarray(["TX", "CA", "GU", "OH"], { minLength: 1 }),
        limit: fc.constantFrom(1, 2, 7, 100, 500),
      },
      { requiredKeys: [] },
    );
    const readers = fc.constantFrom(caller, small);
    const alike = fc.asyncProperty(position, asked, readers, async (at, query, reader) => {
      const start = Math.min(at, EVENTS);
      expect(await page(fixture.context, start, query, reader)).toBe(
        await page(context, start, query, reader),
      );
    });
    statements.length = 0;
    await fc.assert(alike, { seed, numRuns: 150 });
    expect(statements).not.toContain("events/readNear");
    await undoRemovals(fixture.context.db);
  });

  it("leave out who was removed with the next page, and show them again after the removal is undone", async () => {
    await fill([0]);
    expect(idsOf(await page(fixture.context, 0))).toContain(7);
    await removeBusinesses(fixture.context.db, [7]);
    expect(idsOf(await page(fixture.context, 0))).not.toContain(7);
    await undoRemovals(fixture.context.db);
    expect(idsOf(await page(fixture.context, 0))).toContain(7);
    expect(await asksDatabase(0)).toBe(false);
  });

  it("show what an import and a rollback changed with the next page, and are made anew", async () => {
    const at = EVENTS - 50;
    await fill([at]);
    const [added] = await putRows<{ id: number }>(fixture.context.db.pool, "event", { usdot: 99 });
    expect(idsOf(await page(fixture.context, at))).toContain(added?.id);
    await fill([at]);
    await fixture.context.db.transaction(async (client) => {
      await changeRows(client, "event", { docket: "MC999999" }, { id: added?.id });
      await changeRows(client, "detection", { as_of: "2026-11-20" }, { as_of: "2026-11-20" });
    });
    expect(await page(fixture.context, at)).toContain("MC999999");
    await fill([at]);
    const rollback = {
      types: EVENT_TYPES,
      classes: ["carrier_property"],
      since: new Date("2026-08-01T00:00:00Z"),
      now: fixture.clock.now(),
    };
    await changeRows(
      fixture.context.db.pool,
      "event",
      { authority_class: "carrier_property" },
      { id: added?.id },
    );
    await fixture.context.db.bulkTransaction((client) => withdrawDetected(client, rollback));
    expect(await page(fixture.context, at)).toContain('"correction":"withdrawn"');
  });

  it("lack what retention deleted, with the next page", async () => {
    await fill([0]);
    const oldest = { before: new Date("2026-08-02T00:00:00Z"), upTo: 10, most: 10 };
    await fixture.context.db.bulkTransaction((client) => forgetEvents(client, oldest));
    expect(idsOf(await page(fixture.context, 0))[0]).toBe(11);
  });

  it("leave no file in the folder", async () => {
    await fill();
    expect(await readdir(folderOf(fixture.context))).toEqual([]);
  });

  it("come from the database when a file cannot be read, and then from a new one", async () => {
    await fill([0]);
    for (const name of await readdir("/proc/self/fd")) {
      const open = `/proc/self/fd/${name}`;
      const file = await readlink(open).catch(() => "");
      if (file.startsWith(path.join(folderOf(fixture.context), "events."))) await truncate(open);
    }
    expect(await asksDatabase(0)).toBe(true);
    await fill([0]);
  });

  it("come from the database where no file can be made, which is tried again a minute later", async () => {
    const { context, lines } = await withoutFiles();
    const asked = statementNames(context.db.pool);
    for (let pages = 0; pages < 40; pages++) expect(idsOf(await page(context, 0))).toHaveLength(PER_PAGE);
    await expect.poll(lines).toHaveLength(1);
    expect(lines()[0]).toMatchObject({
      level: "warn",
      msg: "The newest events could not be cached in a file.",
    });
    await rm(context.config.dataDir);
    await mkdir(context.config.dataDir);
    fixture.clock.advance(60_000);
    const isFromDatabase = async () => {
      asked.length = 0;
      await page(context, 0);
      return asked.includes("events/readNear");
    };
    await expect.poll(isFromDatabase, { interval: 5 }).toBe(false);
  });
});
