// A plan that gets other states: of the same feed, version and filters, each row of a state is paid once a month.
import { finished } from "node:stream/promises";
import { createRandom } from "@trucking-data-feed/registry-generator/random";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { Caller } from "../../../../src/accounts/keys/caller.ts";
import { type ExportOptions, exportFeed } from "../../../../src/feeds/export/export.ts";
import type { FeedQuery } from "../../../../src/feeds/records/records.ts";
import {
  type FeedsFixture,
  filters,
  openFeedsFixture,
  rowsUsed,
} from "../../../support/feeds/feeds-fixture.ts";
import { feedRecord, publishFeed } from "../../../support/feeds/published-feed.ts";
import { removeBusinesses, undoRemovals } from "../../../support/removals/removals.ts";
import { changeRows } from "../../../support/rows.ts";

const BROKERS = "us_brokers";
const STATES = ["CA", "FL", "GA", "TX", null] as const;
type State = (typeof STATES)[number];
/** Enough for several chunks. */
const COUNT = 4_000;
const ROWS_OF_A_STATE = COUNT / STATES.length;

let fixture: FeedsFixture;
let account: Caller;
beforeEach(async () => {
  fixture = await openFeedsFixture();
  account = await fixture.caller({ feeds: { [BROKERS]: null }, rowsPerMonth: 1_000_000 });
});
afterEach(() => fixture.close());

const stateOf = (usdot: number): State => STATES[(usdot - 1) % STATES.length] as State;

const publish = (count: number): Promise<number> =>
  publishFeed(fixture.context.db, BROKERS, {
    records: Array.from({ length: count }, (_, index) =>
      feedRecord(BROKERS, {
        dot_number: String(index + 1),
        state: stateOf(index + 1),
        street: "x".repeat(200),
      }),
    ),
    asOf: "2026-11-20",
    now: fixture.clock.now(),
  });

/** The account while its plan has these states; null: all. */
const withStates = (states: readonly string[] | null): Caller => ({
  ...account,
  feeds: new Map([[BROKERS, states]]),
});

const open = async (caller: Caller, options: ExportOptions & Partial<FeedQuery> = {}) => {
  const answer = await exportFeed(
    fixture.context,
    caller,
    BROKERS,
    { filters: filters(), ...options },
    options,
  );
  if (answer.status !== 200) throw new Error("not an export");
  return answer.body;
};

/** Reads so many chunks, then disconnects; returns the USDOT numbers of the rows that came. */
async function take(body: Awaited<ReturnType<typeof open>>, chunks = Number.POSITIVE_INFINITY) {
  const taken: Buffer[] = [];
  if (chunks > 0) {
    for await (const chunk of body) {
      taken.push(chunk);
      if (taken.length >= chunks) break;
    }
  }
  body.destroy();
  if (!body.closed) await finished(body).catch(() => {});
  const [, ...lines] = Buffer.concat(taken).toString().split("\r\n").slice(0, -1);
  return lines.map((line) => Number(line.split(",")[2]));
}

const exported = async (states: readonly string[] | null, options: Parameters<typeof open>[1] = {}) =>
  (await take(await open(withStates(states), options))).length;

const used = async (): Promise<number> => (await rowsUsed(fixture.context, account)).quota;

it("a widened plan pays the rows of its new states, a narrowed one nothing, in any format", async () => {
  await publish(50);
  expect([await exported(["CA", "FL"]), await used()]).toEqual([20, 20]);
  expect([await exported(["CA", "FL", "TX"]), await used()]).toEqual([30, 30]);
  expect([await exported(["TX"]), await used()]).toEqual([10, 30]);
  await exported(["CA", "GA"], { format: "parquet" });
  expect(await used()).toBe(40);
  // The rows without a state too.
  expect([await exported(null), await used()]).toEqual([50, 50]);
  expect([await exported(["GA"]), await used()]).toEqual([10, 50]);
});

it("the states that a filter asks for stay a part of what is paid once", async () => {
  await publish(50);
  const asked = { filters: filters({ state: ["GA", "TX"] }) };
  expect([await exported(["TX"], asked), await used()]).toEqual([10, 10]);
  expect([await exported(["GA", "TX"], asked), await used()]).toEqual([20, 20]);
  expect([await exported(["GA", "TX"]), await used()]).toEqual([20, 40]);
});

it("HEAD tells what a widened plan would pay", async () => {
  await publish(50);
  await exported(["CA"]);
  const costs: number[] = [];
  const isHead = { isHead: true, onCharge: ({ rows }: { rows: number }) => costs.push(rows) };
  await take(await open({ ...withStates(["CA", "TX"]), ...isHead }));
  expect([costs, await used()]).toEqual([[10], 10]);
});

it("a plan that the quota does not have is refused whole, one that it has to the row is not", async () => {
  await publish(50);
  account = { ...account, rowsPerMonth: 30 };
  await exported(["CA", "FL"]);
  await expect(open(withStates(["CA", "GA", "TX"]))).rejects.toMatchObject({ code: "quota_exceeded" });
  expect(await used()).toBe(20);
  expect([await exported(["CA", "TX"]), await used()]).toEqual([20, 30]);
  expect([await exported(["CA", "FL", "TX"]), await used()]).toEqual([30, 30]);
});

// The rows of a file are sorted by grant date, not by state: a missing row counts for its own state.
it("a row that is removed during an export is refunded for its state", async () => {
  await publish(COUNT);
  const body = await open(withStates(["CA", "TX"]), { removalsGoodForMs: 0 });
  const rows: Buffer[] = [];
  for await (const chunk of body) {
    // The first of TX, after the header was read, and the last of CA.
    if (rows.push(chunk) === 1) await removeBusinesses(fixture.context.db, [4, COUNT - 4]);
  }
  expect(await used()).toBe(2 * ROWS_OF_A_STATE - 2);
  expect([await exported(["CA"]), await exported(["TX"])]).toEqual([
    ROWS_OF_A_STATE - 1,
    ROWS_OF_A_STATE - 1,
  ]);
  expect(await used()).toBe(2 * ROWS_OF_A_STATE - 2);
  await undoRemovals(fixture.context.db);
  await exported(["CA"]);
  expect(await used()).toBe(2 * ROWS_OF_A_STATE - 1);
});

it("an export that an older program charged is not charged again", async () => {
  await publish(50);
  await exported(null);
  await changeRows(fixture.context.db.pool, "export_charge", {
    charged_by_state: {},
    delivered_by_state: {},
  });
  for (const states of [["TX"], ["CA", "TX"], null]) await exported(states);
  expect(await used()).toBe(50);
});

it("any plans, broken off anywhere, at the same time: what came is paid once, and never more than the quota", async () => {
  await publish(COUNT);
  const random = createRandom(30, 4, 1);
  for (let round = 0; round < 6; round++) {
    // A quota of all rows refuses nothing, because no row is charged twice.
    const hasAll = round % 2 === 0;
    const rowsPerMonth = hasAll ? COUNT : random.between(COUNT / 2, COUNT);
    account = {
      ...(await fixture.caller({ feeds: { [BROKERS]: null } })),
      rowsPerMonth,
      concurrentExports: 9,
    };
    const most = new Map<State, number>();
    for (let wave = 0; wave < 6; wave++) {
      const plans = [1, 2, 3].map(() =>
        random.chance(0.2) ? null : STATES.flatMap((state) => (state && random.chance(0.5) ? [state] : [])),
      );
      const reads = await Promise.all(
        plans.map(async (states) => {
          const body = await open(withStates(states)).catch((error) => {
            expect([hasAll, error.code]).toEqual([false, "quota_exceeded"]);
            return null;
          });
          expect(await used()).toBeLessThanOrEqual(rowsPerMonth);
          return body === null ? [] : take(body, random.between(0, 7));
        }),
      );
      for (const usdots of reads) {
        for (const [state, rows] of Map.groupBy(usdots, stateOf)) {
          most.set(state, Math.max(most.get(state) ?? 0, rows.length));
        }
      }
      const paid = [...most.values()].reduce((sum, rows) => sum + rows, 0);
      expect(await used(), `round ${round}, wave ${wave}`).toBe(paid);
    }
  }
});
