// What happened to a carrier, newest first: what the registry's histories tell, and the recorded changes of its fields.
import type { Caller } from "../../accounts/keys/caller.ts";
import { chargeRows } from "../../accounts/usage/quota.ts";
import * as sql from "../../generated/sql/carriers/timeline.ts";
import type { components } from "../../generated/types.ts";
import { dayOf } from "../../platform/clock.ts";
import type { Context } from "../../platform/context.ts";
import { openCursor, sealCursor } from "../../platform/http/cursor.ts";
import { InvalidRequestError, unknownCursor } from "../../platform/http/invalid-request.ts";
import { recordedSince } from "../../registry/changes/record-changes.ts";
import { textOf } from "../../registry/changes/recorded-value.ts";
import { type CarrierChange, readCarrierChanges, recordedSinceOut } from "../carrier-changes.ts";
import { notFound, visibleRecords } from "../carrier-lookup.ts";
import { countConnections } from "../connections/counts.ts";
import type { Entry } from "./entry.ts";
import { isMove, moveEntries, orderEntries } from "./moves.ts";
import { policyEntries } from "./policies.ts";

type TimelineOut = components["schemas"]["TimelineOut"];
type EntryOut = TimelineOut["data"][number];

export interface TimelineQuery {
  category?: string | undefined;
  since?: string | undefined;
  limit: number;
  cursor?: string | undefined;
}

/** More recorded changes than a carrier has in years. */
const MOST_CHANGES = 10_000;

/**
 * A page of a carrier's timeline, newest first, for who may look it up. It costs one row, or none when it is empty.
 * InvalidRequestError for a cursor of another answer; ProblemError not_found like the lookup, stale_source, quota_exceeded.
 */
export async function readTimeline(
  context: Context,
  caller: Caller,
  usdot: string,
  { category, since, limit, cursor }: TimelineQuery,
): Promise<TimelineOut> {
  const number = Number(usdot);
  // The entries that are left to read. New ones come before them, so they shift nothing.
  const owner = [number, category, since].join(" ");
  const left = cursor === undefined ? null : leftOf(owner, cursor);
  if ((await visibleRecords(context, caller, [number])).size === 0) throw notFound(usdot);
  const [entries, recorded, connections] = await Promise.all([
    entriesOf(context, number),
    recordedSince(context),
    countConnections(context, caller, number),
  ]);
  const wanted = entries.filter(
    (entry) =>
      (category === undefined || entry.category === category) &&
      (since === undefined || dayOfEntry(entry) >= since),
  );
  const start = left === null ? 0 : Math.max(0, wanted.length - left);
  const data = wanted.slice(start, start + limit);
  await chargeRows(context, caller, "api", Math.min(1, data.length));
  const stillLeft = wanted.length - start - data.length;
  return {
    usdot: String(number),
    data,
    ...connections,
    recorded_since: recordedSinceOut(recorded),
    next_cursor: stillLeft > 0 ? sealCursor(FORM, owner, [stillLeft]) : null,
  };
}

const FORM = "tl1";

function leftOf(owner: string, cursor: string): number {
  const [left] = openCursor(FORM, owner, cursor) ?? [];
  if (left === undefined || !/^\d{1,6}$/.test(left)) throw new InvalidRequestError([FOREIGN_CURSOR]);
  return Number(left);
}

const FOREIGN_CURSOR = unknownCursor(
  "must be next_cursor of an earlier answer for this carrier, with the same category and since",
);

/**
 * Everything that happened to a carrier, newest first; of one that the caller does not see it must not be shown. A removed
 * business has no recorded changes, and its lookup finds nothing.
 */
export async function entriesOf(context: Context, usdot: number): Promise<EntryOut[]> {
  const { pool } = context.db;
  const [motus, legacy, orders, policies, outOfService, { changes }] = await Promise.all([
    sql.motusMoves(pool, { usdot }),
    sql.legacyMoves(pool, { usdot }),
    sql.orders(pool, { usdot }),
    sql.policies(pool, { usdot }),
    sql.outOfServiceOrders(pool, { usdot }),
    readCarrierChanges(context, usdot, { category: null, since: null, limit: MOST_CHANGES }),
  ]);
  const told = [
    ...moveEntries(motus, legacy),
    ...orderEntries(orders, motus, legacy),
    ...policyEntries(policies),
    ...outOfService.map(outOfServiceEntry),
  ];
  const seen = new Map(
    changes.map(({ category, registry_on, seen_at, ...change }) => [
      keyOf(category, placeOf(change), registry_on),
      seen_at,
    ]),
  );
  const histories = told.map((entry) => {
    const { category, on, recordedOn = on } = entry;
    const seenAt = placesOf(entry).map((place) => seen.get(keyOf(category, place, recordedOn)));
    return entryOut(entry, seenAt.find((at) => at !== undefined) ?? null);
  });
  const known: Known = {
    rows: new Set([
      ...motus.flatMap((row) => [
        ...keysOf("status_change", row, row.on),
        // A row that no entry tells may have changed the status all the same.
        ...(isMove(row) ? keysOf("status", row, row.on) : []),
      ]),
      ...orders.flatMap((order) => keysOf("order", order, order.filed_on ?? order.effective_on)),
      ...outOfService.flatMap((order) =>
        [order.ordered_on, order.rescinded_on].flatMap((on) =>
          ["out_of_service_order", "rescinded_on"].map((field) => keyOf(field, NO_AUTHORITY, on)),
        ),
      ),
    ]),
    policies: new Set(
      policies.flatMap(({ docket, policy_key, ended_on, ending }) => {
        const policy = `${docket} ${policy_key}`;
        return ending === null ? policy : [policy, `${policy} ${ended_on}`];
      }),
    ),
  };
  const recorded = changes.filter((change) => !isTold(change, known));
  return [...histories, ...recorded.map(changeOut)].sort(newestFirst);
}

const keyOf = (what: string, place: string, on: string | null): string => `${what} ${place} ${on}`;

/** Which authority of the carrier a change is about. */
const placeOf = ({ docket, item }: Pick<CarrierChange, "docket" | "item">): string =>
  `${docket} ${item?.authority_type ?? null}`;

const NO_AUTHORITY = "null null";

/** Which authority a row or an entry is about; then its docket alone, for a change that names no more. */
const placesOf = (of: { docket: string | null; authorityType: string | null }): string[] => [
  `${of.docket} ${of.authorityType}`,
  `${of.docket} null`,
];

const keysOf = (
  field: string,
  { docket, authority_class: authorityType }: { docket: string | null; authority_class: string | null },
  on: string | null,
): string[] => placesOf({ docket, authorityType }).map((place) => keyOf(field, place, on));

/** What the registry's histories have. */
interface Known {
  /** Field, authority and day of the changes that moves and orders tell: those by which the histories got a row. */
  rows: ReadonlySet<string>;
  /** Docket and key of policies, and the same with the day of each ending. */
  policies: ReadonlySet<string>;
}

/** Whether the histories tell of a recorded change. What they no longer have is told as it was recorded. */
function isTold(change: CarrierChange, known: Known): boolean {
  const { field, docket, item, registry_on } = change;
  if (field === "policy") return known.policies.has(`${docket} ${item?.policy_no}`);
  // A policy whose cancellation was withdrawn is still there.
  if (field === "policy_end") return known.policies.has(`${docket} ${item?.policy_no} ${endOf(change)}`);
  return known.rows.has(keyOf(field, placeOf(change), registry_on));
}

const endOf = ({ old_value, new_value }: CarrierChange): string | null =>
  ((new_value ?? old_value) as { cancelled_on: string | null }).cancelled_on;

const outOfServiceEntry = ({ ordered_on, reason, rescinded_on }: sql.OutOfServiceOrdersRow): Entry => ({
  on: ordered_on,
  category: "out_of_service",
  action: "placed_out_of_service",
  docket: null,
  authorityType: null,
  details: { words: reason, endedOn: rescinded_on },
  dataset: "oos_order",
});

const entryOut = ({ details, ...entry }: Entry, seenAt: Date | null): EntryOut => ({
  on: entry.on,
  seen_at: seenAt?.toISOString() ?? null,
  category: entry.category,
  action: entry.action,
  docket_number: entry.docket,
  authority_type: entry.authorityType,
  details: {
    words: details.words ?? null,
    served_on: details.servedOn ?? null,
    effective_on: details.effectiveOn ?? null,
    ended_on: details.endedOn ?? null,
    insurer: details.insurer ?? null,
    previous_insurer: details.previousInsurer ?? null,
    insurance_type: details.insuranceType ?? null,
  },
  field: null,
  before: null,
  after: null,
  source_dataset: entry.dataset,
});

function changeOut(change: CarrierChange): EntryOut {
  const entry = entryOut(
    {
      on: change.registry_on,
      category: change.category,
      action: "changed",
      docket: change.docket,
      authorityType: change.item?.authority_type ?? null,
      details: {},
      dataset: change.source,
    },
    change.seen_at,
  );
  return { ...entry, field: change.field, before: textOf(change.old_value), after: textOf(change.new_value) };
}

/** The day that an entry is sorted by: the registry's, else the one on which it was seen. */
const dayOfEntry = ({ on, seen_at }: EntryOut): string => on ?? (seen_at ? dayOf(new Date(seen_at)) : "");

const newestFirst = (a: EntryOut, b: EntryOut): number => {
  const [one, other] = [a, b].map((entry) => `${dayOfEntry(entry)} ${JSON.stringify(entry)}`) as [
    string,
    string,
  ];
  return one < other ? 1 : one > other ? -1 : 0;
};
