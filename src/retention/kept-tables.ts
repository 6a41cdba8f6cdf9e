// Every table that grows by time, and how long its rows are kept. docs/operating/retention.md says how a table joins.
// A test demands that each other table is in test/unit/retention/settled-tables.ts, with the reason.
import type pg from "pg";
import { DECIDED_KEPT_DAYS } from "../accounts/access/requests.ts";
import { ANSWERS_KEPT_HOURS } from "../accounts/idempotency/answer-once.ts";
import { ACTIONS_KEPT_DAYS } from "../accounts/people/account-log.ts";
import { IDLE_HOURS, LONGEST_DAYS } from "../accounts/sessions/sessions.ts";
import { forgetEvents } from "../events/detect/detect.ts";
import { dropVersionsReplacedBefore, KEPT_AFTER_REPLACED_HOURS } from "../feeds/publish/old-versions.ts";
import { CHANGES_KEPT_DAYS } from "../feeds/sync/steps.ts";
import type { Context, RetentionDays } from "../platform/context.ts";
import { REQUESTER_KEPT_DAYS } from "../suppression/requests/request.ts";
import { eventsDoneUpTo, oldestUnfinished } from "../webhooks/queue/queue-state.ts";
import { oldestOf } from "./clear.ts";

/** A table, or a group of tables that goes with one. */
export interface KeptTable {
  table: string;
  /** SQL: the time from which a row is kept, a date or timestamptz. Null: the row stays. */
  time: string;
  /** How long a row is kept from then: by a setting, or always so many hours. */
  keeps: keyof RetentionDays | { hours: number };
  /**
   * How rows go. "rows": by deletes of some thousand rows each. "months": the table is partitioned by month, and a month is
   * dropped once it is past as a whole. Else by a function of the table's owner.
   */
  by: "rows" | "months" | Clear;
  /** SQL: rows that stay however old they are. */
  except?: string;
  /** Of a table by months: rows from this time on stay however old they are; null when none need to. */
  neededSince?: (context: Pick<Context, "db">) => Promise<Date | null>;
  /** Tables whose rows go with rows of this one. */
  with?: readonly string[];
}

/** Clears rows of before a time in the caller's transaction, some at once. Returns how many; less than `most`: all. */
type Clear = (client: pg.PoolClient, past: { before: Date; most: number }) => Promise<number>;

const DAY = 24;

const CHANGES_KEPT = { hours: CHANGES_KEPT_DAYS * DAY };
/** A step of a rollback leads to a version that was published up to KEPT_AFTER_REPLACED_HOURS before. */
const BEFORE_CHANGES_KEPT = { hours: (CHANGES_KEPT_DAYS + 2) * DAY };

const DELIVERIES: KeptTable = {
  table: "webhook_delivery",
  time: "created_at",
  keeps: "deliveries",
  by: "months",
  neededSince: ({ db }) => oldestUnfinished(db.bulkPool),
};

/** A delivery goes before its event. */
export const KEPT_TABLES: readonly KeptTable[] = [
  DELIVERIES,
  // A delivery whose results are gone would look as if it waited.
  {
    table: "webhook_result",
    time: "ended_at",
    keeps: "deliveries",
    by: "months",
    neededSince: (context) => oldestOf(context, DELIVERIES),
  },
  {
    table: "webhook_cancellation",
    time: "cancelled_at",
    keeps: "deliveries",
    by: "rows",
    except: "to_delivery_id >= (SELECT coalesce(min(id), 0) FROM webhook_delivery)",
  },
  {
    table: "event",
    time: "detected_at",
    keeps: "events",
    by: async (client, past) => forgetEvents(client, { ...past, upTo: await eventsDoneUpTo(client) }),
    with: ["event_correction"],
  },
  {
    table: "feed_version",
    time: "replaced_at",
    keeps: { hours: KEPT_AFTER_REPLACED_HOURS },
    by: async (client, { before }) => {
      await dropVersionsReplacedBefore(client, before);
      return 0;
    },
    with: ["feed_version_column"],
  },
  { table: "feed_step", time: "taken_at", keeps: CHANGES_KEPT, by: "rows" },
  { table: "feed_change", time: "taken_at", keeps: CHANGES_KEPT, by: "months" },
  // What a copy may lack or have too much, because of what happened since its version was published.
  { table: "shown_again", time: "shown_at", keeps: BEFORE_CHANGES_KEPT, by: "rows" },
  {
    table: "account_plan_change",
    time: endOf("account_plan_change", "account_id"),
    keeps: BEFORE_CHANGES_KEPT,
    by: "rows",
  },
  {
    table: "plan_feeds_change",
    time: endOf("plan_feeds_change", "plan_code"),
    keeps: BEFORE_CHANGES_KEPT,
    by: "rows",
  },
  // The newest row of a feed is the size that charts start from.
  {
    table: "feed_size",
    time: "as_of",
    keeps: "runs",
    by: "rows",
    except:
      "as_of = (SELECT max(as_of) FROM feed_size AS newest WHERE newest.feed_code = feed_size.feed_code)",
  },
  // An import compares itself with the imports before, and an address may have none for long.
  {
    table: "import_run",
    time: "finished_at",
    keeps: "runs",
    by: "rows",
    except: `status = 'published' AND id >= coalesce(
      (SELECT id FROM import_run WHERE status = 'published' ORDER BY id DESC OFFSET 99 LIMIT 1), 0)`,
  },
  { table: "usage_day", time: "day", keeps: "usage", by: "rows" },
  { table: "usage_month", time: "month + interval '1 month'", keeps: "usage", by: "rows" },
  // An export begun in a month may still run in the next one.
  { table: "export_charge", time: "month + interval '2 months'", keeps: { hours: 0 }, by: "rows" },
  // Nobody pays for a month that is past, nor with an account that is closed.
  {
    table: "connection_charge",
    time: "least(month + interval '1 month', (SELECT closed_at FROM account WHERE account.id = account_id))",
    keeps: { hours: DAY },
    by: "rows",
  },
  { table: "carrier_change", time: "seen_at", keeps: "carrierChanges", by: "months" },
  { table: "mail_outbox", time: "coalesce(sent_at, failed_at)", keeps: "mails", by: "rows" },
  { table: "idempotent_answer", time: "answered_at", keeps: { hours: ANSWERS_KEPT_HOURS }, by: "rows" },
  // An owner sees for a while that an invitation has expired, and may send it again.
  { table: "invitation", time: "expires_at", keeps: { hours: 30 * DAY }, by: "rows" },
  { table: "account_log", time: "at", keeps: { hours: ACTIONS_KEPT_DAYS * DAY }, by: "rows" },
  { table: "sign_in_link", time: "expires_at", keeps: { hours: DAY }, by: "rows" },
  {
    table: "dashboard_session",
    time: `least(last_seen_at + interval '${IDLE_HOURS} hours', created_at + interval '${LONGEST_DAYS} days')`,
    keeps: { hours: 0 },
    by: "rows",
  },
  // A request that waits for the operator stays.
  {
    table: "access_request",
    time: `CASE state WHEN 'unconfirmed' THEN expires_at + interval '1 day' ELSE decided_at + interval '${DECIDED_KEPT_DAYS} days' END`,
    keeps: { hours: 0 },
    by: "rows",
  },
  { table: "operator_link", time: "expires_at", keeps: { hours: DAY }, by: "rows" },
  {
    table: "operator_session",
    time: `least(last_seen_at + interval '${IDLE_HOURS} hours', created_at + interval '${LONGEST_DAYS} days')`,
    keeps: { hours: 0 },
    by: "rows",
  },
  { table: "dashboard_note", time: "expires_at", keeps: { hours: 0 }, by: "rows" },
  { table: "sign_in_client", time: "to_timestamp(minute * 60)", keeps: { hours: 1 }, by: "rows" },
  { table: "removal_client", time: "to_timestamp(minute * 60)", keeps: { hours: 5 / 60 }, by: "rows" },
  { table: "removal_confirmation", time: "queued_at", keeps: { hours: DAY }, by: "rows" },
  // Questions about a request come within this time.
  {
    table: "removal_requester",
    time: "(SELECT requested_at FROM removal_request WHERE removal_request.id = request_id)",
    keeps: { hours: REQUESTER_KEPT_DAYS * DAY },
    by: "rows",
  },
  // An order makes an event only within 30 days of its service.
  {
    table: "seen_order",
    time: "named_on",
    keeps: { hours: 400 * DAY },
    by: "rows",
    except: `EXISTS (SELECT FROM pending_revocation AS pending
      WHERE pending.docket = seen_order.docket AND pending.authority_class = seen_order.authority_class
        AND pending.usdot = seen_order.usdot AND pending.named_on = seen_order.named_on)`,
  },
];

/** SQL: when the next row of the same account or plan replaced a row; null for the newest one. */
function endOf(table: string, owner: string): string {
  return `(SELECT min(next.changed_at) FROM ${table} AS next WHERE next.${owner} = ${table}.${owner} AND next.id > ${table}.id)`;
}
