import { expect } from "vitest";
import { DAY_MS } from "../../src/platform/clock.ts";
import type { Context, RetentionDays } from "../../src/platform/context.ts";
import { KEPT_TABLES } from "../../src/retention/kept-tables.ts";
import { keepTables } from "../../src/retention/upkeep.ts";
import { fanOut } from "../../src/webhooks/queue/fan-out.ts";
import { openAccount } from "../support/accounts.ts";
import { settableClock } from "../support/clock.ts";
import { openTestContext } from "../support/context.ts";
import { createTestDatabase } from "../support/database.ts";
import { registerEndpoint } from "../support/webhooks/endpoints.ts";

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

/** Writes what `days` days up to now leave in each table. */
async function writeDays(
  context: Context,
  { accountId, days, scale }: { accountId: number; days: number; scale: number },
): Promise<void> {
  const { db, clock } = context;
  const now = clock.now();
  const rows = (aDay: number) => Math.max(days, Math.round(aDay * scale * days));
  /** `at` is a time within the days; `n` counts from 1. */
  const write = (count: number, sql: string, ...values: unknown[]) =>
    db.bulkPool.query(
      `WITH each AS (SELECT n, $1::timestamptz - $2::int * interval '1 day' * (1 - n::float8 / $3::int) AS at
         FROM generate_series(1, $3::int) AS n) ${sql}`,
      [now, days, count, ...values],
    );
  await write(
    rows(200),
    `INSERT INTO event (type, country, usdot, docket, authority_class, state, occurred_on, detected_at,
       source_dataset, verify_method, data, identity)
     SELECT CASE n % 3 WHEN 0 THEN 'authority_inactive' WHEN 1 THEN 'new_authority_granted' ELSE 'reinstated' END,
       'US', 1000 + n % 500, 'MC' || (1000 + n % 500), 'broker', 'TX', at, at, 'authority_history', 'registry_record',
       jsonb_build_object('legal_name', repeat('x', 30), 'reason', repeat('y', 60)), at::text || n FROM each`,
  );
  await fanOut(context, now);
  await db.bulkPool.query(
    `WITH cancelled AS (
       INSERT INTO webhook_cancellation (endpoint_id, to_delivery_id, reason, cancelled_at)
       SELECT endpoint_id, min(id), 'paused', $1::timestamptz FROM webhook_delivery_state WHERE status = 'queued' GROUP BY 1),
     progress AS (
       INSERT INTO webhook_progress SELECT endpoint_id, max(id) FROM webhook_delivery GROUP BY 1
       ON CONFLICT (endpoint_id) DO UPDATE SET done_to = excluded.done_to)
     INSERT INTO webhook_result (delivery_id, number, endpoint_id, attempt, started_at, duration_ms, http_status, signature,
       outcome, ended_at)
     SELECT id, 1, endpoint_id, 1, $1, 20, 200, sha256('s'), 'delivered', $1 FROM webhook_delivery_state WHERE status = 'queued'`,
    [now],
  );
  await write(
    rows(40),
    `INSERT INTO usage_day (account_id, day, key_id, api_requests) SELECT $4::int, at::date, 'k' || n % 40, 1 FROM each
     ON CONFLICT (account_id, day, key_id) DO UPDATE SET api_requests = usage_day.api_requests + 1`,
    accountId,
  );
  for (const table of ["usage_month", "export_charge"]) {
    const [column, value] = table === "usage_month" ? ["api_requests", "1"] : ["content", "'c' || n % 20"];
    await write(
      rows(20),
      `INSERT INTO ${table} (account_id, month, ${column}) SELECT $4::int, date_trunc('month', at, 'UTC')::date, ${value}
       FROM each ON CONFLICT DO NOTHING`,
      accountId,
    );
  }
  await write(
    days * 4,
    `INSERT INTO import_run (status, folder, started_at, finished_at, report)
     SELECT CASE WHEN n % 4 = 0 THEN 'published' ELSE 'refused' END, '/files', at, at,
       jsonb_build_object('files', (SELECT jsonb_agg(md5(x::text || n)) FROM generate_series(1, 200) AS x)) FROM each`,
  );
  await write(
    days,
    `INSERT INTO feed_size SELECT 'us_brokers', at::date, 100 FROM each ON CONFLICT DO NOTHING`,
  );
  await write(1, "INSERT INTO feed_size SELECT 'us_quiet', '2026-01-02', 5 FROM each ON CONFLICT DO NOTHING");
  await writeSync(write, rows, days);
  await write(
    rows(30),
    `INSERT INTO mail_outbox (purpose, recipient, subject, created_at, due_at, sent_at, failed_at)
     SELECT 'test', 'a@example.com', 'Subject', at, at, CASE WHEN n % 9 > 0 THEN at END, CASE WHEN n % 9 = 0 THEN at END
     FROM each`,
  );
  await write(
    rows(400),
    `INSERT INTO carrier_change (id, usdot, category, field, old_value, new_value, as_of, seen_at, source)
     SELECT extract(epoch FROM at)::bigint * 1000 + n, n % 500, 'fleet', 'power_units', '1', '2', at, at, 'census' FROM each`,
  );
  await writeVisits(write, rows, accountId);
  await publishVersion(context);
}

/** What the change feed is read from. */
async function writeSync(write: Write, rows: (aDay: number) => number, days: number): Promise<void> {
  await write(
    rows(500),
    `, step AS (
       INSERT INTO feed_step (id, feed_code, to_version, as_of, published_at, taken_at, cause, rules, states)
       SELECT (SELECT coalesce(max(id), 0) FROM feed_step) + n, 'us_brokers', n, at, at, at, 'registry', '', '{}' FROM each WHERE n <= $4 RETURNING id)
     INSERT INTO feed_change SELECT (SELECT min(id) FROM step), n, at, md5(n::text), n, repeat('x', 300) FROM each`,
    days,
  );
  await write(rows(5), "INSERT INTO shown_again (usdot, shown_at) SELECT n, at FROM each");
  for (const [table, values] of [
    ["account_plan_change (account_id, plan_code, changed_at)", ["1, 'p'", "0, 'p'"]],
    ["plan_feeds_change (feeds, plan_code, changed_at)", ["'{}', 'p'", "'{}', 'quiet'"]],
  ] as const) {
    await write(rows(1), `INSERT INTO ${table} SELECT ${values[0]}, at FROM each`);
    // Its first row is its newest one, however old.
    const owner = table.startsWith("account") ? "account_id = 0" : "plan_code = 'quiet'";
    await write(
      1,
      `INSERT INTO ${table} SELECT ${values[1]}, at FROM each
       WHERE NOT EXISTS (SELECT FROM ${table.split(" ")[0]} WHERE ${owner})`,
    );
  }
}

type Write = (count: number, sql: string, ...values: unknown[]) => Promise<unknown>;

/** What people leave: sign-ins, and requests for removal. */
async function writeVisits(write: Write, rows: (aDay: number) => number, accountId: number): Promise<void> {
  const token = "sha256(($4::int || at::text || n)::bytea)";
  const person = "(SELECT min(id) FROM account_person WHERE account_id = $4)";
  await write(
    rows(20),
    `, session AS (
       INSERT INTO dashboard_session (token_hash, person_id, created_at, last_seen_at)
       SELECT ${token}, ${person}, at, at FROM each RETURNING token_hash, created_at),
     note AS (
       INSERT INTO dashboard_note SELECT token_hash, token_hash, '', created_at FROM session)
     INSERT INTO sign_in_link (token_hash, person_id, created_at, expires_at)
     SELECT ${token}, ${person}, at, at + interval '15 minutes' FROM each`,
    accountId,
  );
  await write(
    rows(20),
    `, invited AS (
       INSERT INTO invitation (account_id, email, role, invited_by, token_hash, sent_at, expires_at)
       SELECT $4, at::text || n, 'reader', '', ${token}, at - interval '7 days', at FROM each)
     INSERT INTO account_log (account_id, at, person, action) SELECT $4, at, '', 'signed_in' FROM each`,
    accountId,
  );
  await write(
    rows(20),
    "INSERT INTO idempotent_answer SELECT $4::int, sha256((at::text || n)::bytea), sha256('answer'), at FROM each",
    accountId,
  );
  for (const table of ["sign_in_client", "removal_client"]) {
    await write(
      rows(20),
      `INSERT INTO ${table} SELECT sha256((at::text || n)::bytea), extract(epoch FROM at - interval '2 hours') / 60, 1
       FROM each`,
    );
  }
  await write(
    rows(5),
    `, request AS (
       INSERT INTO removal_request (id, requested_at, client_digest, identifier_digests)
       SELECT extract(epoch FROM at)::bigint * 1000 + n, at, '', '{}' FROM each RETURNING id),
     requester AS (INSERT INTO removal_requester (request_id, email) SELECT id, 'b@example.com' FROM request)
     INSERT INTO removal_confirmation (address_digest, client_digest, queued_at) SELECT '', '', at FROM each`,
  );
  await write(
    rows(10),
    `INSERT INTO seen_order SELECT 'MC' || n, 'broker', n, at - interval '1 year' FROM each ON CONFLICT DO NOTHING`,
  );
}

/** A version that replaces the one before, as an import leaves them. */
async function publishVersion({ db, clock }: Context): Promise<void> {
  const now = clock.now();
  await db.bulkPool.query(
    "UPDATE feed_version SET replaced_at = $1::timestamptz - interval '26 hours' WHERE replaced_at IS NULL",
    [now],
  );
  const { rows } = await db.bulkPool.query(
    `INSERT INTO feed_version (feed_code, as_of, row_count, fingerprint, published_at)
     VALUES ('us_brokers', $1::timestamptz::date, 1000, 'f', $1::timestamptz) RETURNING id`,
    [now],
  );
  const { id } = rows[0];
  await db.bulkPool.query(
    `INSERT INTO feed_version_column VALUES (${id}, 'state', repeat('x', 4000)::bytea);
     CREATE TABLE published.feed_${id} AS SELECT n, repeat('r', 200) AS text FROM generate_series(1, 1000) AS n`,
  );
}
