import type { Context } from "../../src/platform/context.ts";
import { fanOut } from "../../src/webhooks/queue/fan-out.ts";

/** Writes what `days` days up to now leave in each table. */
export async function writeDays(
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
