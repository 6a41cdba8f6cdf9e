import { expect } from "vitest";
import { DAY_MS } from "../../src/platform/clock.ts";
import type { Context, RetentionDays } from "../../src/platform/context.ts";
import { KEPT_TABLES } from "../../src/retention/kept-tables.ts";
import { keepTables } from "../../src/retention/upkeep.ts";
import { openAccount } from "../support/accounts.ts";
import { settableClock } from "../support/clock.ts";
import { openTestContext } from "../support/context.ts";
import { createTestDatabase } from "../support/database.ts";
import { registerEndpoint } from "../support/webhooks/endpoints.ts";
import { writeDays } from "./written-days.ts";

/** Settings that a year passes by, shorter than an operator may choose. */
const RETENTION: RetentionDays = {
  events: 120,
  deliveries: 60,
  usage: 100,
  runs: 90,
  mails: 45,
  carrierChanges: 100,
};

/** The longest time that rows of a table may be there, in days, written down apart from the product's list. */
const LONGEST: Readonly<Record<string, { time: string; days: number; except?: string }>> = {
  event: { time: "detected_at", days: 120 },
  // A month goes when all of it is past.
  webhook_delivery: { time: "created_at", days: 92 },
  webhook_result: { time: "ended_at", days: 92 },
  webhook_cancellation: { time: "cancelled_at", days: 92 },
  feed_version: { time: "replaced_at", days: 25 / 24 },
  feed_size: { time: "as_of", days: 90, except: "feed_code = 'us_quiet'" },
  feed_step: { time: "taken_at", days: 90 },
  // A month goes when all of it is past.
  feed_change: { time: "taken_at", days: 122 },
  shown_again: { time: "shown_at", days: 92 },
  account_plan_change: { time: "changed_at", days: 102, except: "account_id = 0" },
  plan_feeds_change: { time: "changed_at", days: 102, except: "plan_code = 'quiet'" },
  // The newest hundred published runs stay; there is one a day.
  import_run: { time: "finished_at", days: 101 },
  usage_day: { time: "day", days: 100 },
  usage_month: { time: "month", days: 131 },
  export_charge: { time: "month", days: 62 },
  // A month goes when all of it is past.
  carrier_change: { time: "seen_at", days: 131 },
  mail_outbox: { time: "coalesce(sent_at, failed_at)", days: 45 },
  idempotent_answer: { time: "answered_at", days: 1 },
  invitation: { time: "expires_at", days: 30 },
  account_log: { time: "at", days: 400 },
  sign_in_link: { time: "expires_at", days: 1 },
  dashboard_session: { time: "created_at", days: 30 },
  dashboard_note: { time: "expires_at", days: 0 },
  sign_in_client: { time: "to_timestamp(minute * 60)", days: 1 / 24 },
  removal_client: { time: "to_timestamp(minute * 60)", days: 1 / 24 },
  removal_confirmation: { time: "queued_at", days: 1 },
  removal_requester: {
    time: "(SELECT requested_at FROM removal_request WHERE id = request_id)",
    days: 90,
  },
  seen_order: { time: "named_on", days: 400 },
};

export interface YearOptions {
  /** Days from one upkeep to the next. */
  stepDays: number;
  /** Rows a day, against a hundredth of a full installation. */
  scale: number;
}

/** Size and rows of a table at a day of the simulated time. */
export interface TableSize {
  table: string;
  bytes: number;
  rows: number;
}

/**
 * Lets time pass as in an installation of a hundredth of the size, with upkeep. Expects that no row stays past its
 * retention, that younger ones stay, and that no table is larger after a year than it was before. Gives the sizes.
 */
export async function expectBoundedYear(options: YearOptions): Promise<Map<number, TableSize[]>> {
  const database = await createTestDatabase();
  const clock = settableClock("2026-01-01T06:00:00Z");
  const opened = await openTestContext(database.url, clock);
  const context = { ...opened, config: { ...opened.config, retentionDays: RETENTION } };
  try {
    return await passYear(context, clock, options);
  } finally {
    await context.db.close();
    await database.drop();
  }
}

/** Long after the longest retention, and a year. Orders are kept for longer: their days are dated back. */
const CHECKED_DAYS = [200, 365];

async function passYear(
  context: Context,
  clock: ReturnType<typeof settableClock>,
  { stepDays, scale }: YearOptions,
): Promise<Map<number, TableSize[]>> {
  const { accountId } = await openAccount(context, {
    feeds: { us_brokers: null, us_small_carriers_active: null },
  });
  for (let endpoint = 0; endpoint < 10; endpoint += 1) {
    await registerEndpoint(context, accountId, {
      event_types: ["new_authority_granted", "authority_inactive"],
      url: `https://hooks.example.com/${endpoint}`,
    });
  }
  const sizes = new Map<number, TableSize[]>();
  for (let day = stepDays, due = [...CHECKED_DAYS]; due.length > 0; day += stepDays) {
    clock.advance(stepDays * DAY_MS);
    await writeDays(context, { accountId, days: stepDays, scale });
    const cleared = await keepTables(context);
    expect(cleared).toEqual(KEPT_TABLES.map(({ table }) => table));
    // What PostgreSQL does by itself, when time passes as slowly as it does.
    if (day % 10 < stepDays)
      for (const table of Object.keys(LONGEST)) await context.db.bulkPool.query(`VACUUM ${table}`);
    if (day >= (due[0] ?? 0)) {
      await expectNonePast(context);
      sizes.set(due.shift() ?? 0, await sizesOf(context));
    }
  }
  const [middle = [], end = []] = CHECKED_DAYS.map((day) => sizes.get(day));
  // Rows come in steps, so one step more may be there.
  const most = (before: number) => before * 1.25 + 64_000;
  expect(end.filter(({ bytes }, index) => bytes > most(middle[index]?.bytes ?? 0))).toEqual([]);
  expect(end.filter(({ table, rows }) => rows === 0 && !HOURLY.has(table))).toEqual([]);
  return sizes;
}

/** Tables whose rows are all past when a step ends. */
const HOURLY = new Set(["dashboard_note", "sign_in_client", "removal_client"]);

async function expectNonePast({ db, clock }: Context): Promise<void> {
  for (const [table, { time, days, except = "false" }] of Object.entries(LONGEST)) {
    const { rows } = await db.pool.query(
      `SELECT count(*)::int AS past FROM ${table} WHERE ${time} < $1::timestamptz AND NOT (${except})`,
      [new Date(clock.now().getTime() - days * DAY_MS)],
    );
    expect([table, rows[0].past]).toEqual([table, 0]);
  }
}

async function sizesOf({ db }: Context): Promise<TableSize[]> {
  const sizes: TableSize[] = [];
  for (const table of Object.keys(LONGEST)) {
    const { rows } = await db.pool.query(
      `SELECT count(*)::int AS rows, coalesce(
         (SELECT sum(pg_total_relation_size(relid)) FROM pg_partition_tree('${table}')),
         pg_total_relation_size('${table}'))::int AS bytes
       FROM ${table}`,
    );
    sizes.push({ table, ...rows[0] });
  }
  const { rows } = await db.pool.query(
    `SELECT count(*)::int AS rows, coalesce(sum(pg_total_relation_size(oid)), 0)::int AS bytes FROM pg_class
     WHERE relnamespace = 'published'::regnamespace AND relkind = 'r'`,
  );
  return [...sizes, { table: "published.feed_*", ...rows[0] }];
}
