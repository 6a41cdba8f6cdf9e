// Grants, suspensions, ends and orders of authorities, as one list out of the histories of both registries.
import type { LegacyMovesRow, MotusMovesRow, OrdersRow } from "../../generated/sql/carriers/timeline.ts";
import { DAY_MS } from "../../platform/clock.ts";
import { isLegacy } from "../../registry/datasets.ts";
import type { Action, Entry } from "./entry.ts";

/** The meanings of the registry's reasons (registry/vocabularies) that move an authority. */
const MOTUS_ACTIONS: Readonly<Record<string, Action>> = {
  application: "applied",
  grant: "granted",
  reinstatement: "reinstated",
  agent_suspension: "suspended",
  security_suspension: "suspended",
  insurance_suspension: "suspended",
  revocation: "revoked",
  withdrawal: "withdrawn",
};

/** Rows with these meanings move nothing: the registry repairs its data, or repeats what it knew. */
const NO_MOVES = ["repair", "bookkeeping", "first_status"];

/** Whether an entry tells of a row. */
export const isMove = ({ meaning }: Pick<MotusMovesRow, "meaning">): boolean =>
  !NO_MOVES.includes(meaning ?? "");

/** The entries of both histories. A grant or reinstatement that both have is told once, as Motus has it. */
export function moveEntries(motus: readonly MotusMovesRow[], legacy: readonly LegacyMovesRow[]): Entry[] {
  const ofMotus = motus
    .filter((row) => isMove(row) && row.meaning !== "revocation_stopped")
    .map(
      (row): Entry => ({
        on: row.on,
        category: "authority",
        action: MOTUS_ACTIONS[row.meaning ?? ""] ?? "status_changed",
        docket: row.docket,
        authorityType: row.authority_class,
        details: { words: [row.status, row.reason].filter(Boolean).join(": ") },
        dataset: "motus_authhist",
      }),
    );
  // The legacy registry often has no more than "carrier" for an authority of any kind of carrier.
  const isOfMotus = ({ docket, action, on, authorityType }: Entry): boolean =>
    ofMotus.some(
      (known) =>
        known.docket === docket &&
        known.action === action &&
        known.on === on &&
        (authorityType === "carrier" || authorityType === known.authorityType),
    );
  const ofLegacy = legacy
    .flatMap((row) => [beginOf(row), endOf(row)])
    .filter((entry) => entry !== null)
    .filter((entry) => !isOfMotus(entry));
  return [...ofMotus, ...ofLegacy];
}

const LEGACY_BEGINS: Readonly<Record<string, Action>> = { grant: "granted", reinstatement: "reinstated" };

function beginOf(row: LegacyMovesRow): Entry | null {
  // A refusal moves nothing, and a proceeding is an order.
  if (row.began === "refusal" || row.began === "proceeding") return null;
  return legacyEntry(row, row.action_on, LEGACY_BEGINS[row.began] ?? "status_changed", row.action);
}

/** Meanings of final actions that leave the authority as it is. */
const NO_ENDS = ["none", "proceeding_stopped", "renewal", "refusal"];

function endOf(row: LegacyMovesRow): Entry | null {
  if (row.ended === null || NO_ENDS.includes(row.ended)) return null;
  return legacyEntry(row, row.final_on, "ended", row.final_action);
}

const legacyEntry = (
  { docket, authority_class }: LegacyMovesRow,
  on: string | null,
  action: Action,
  words: string | null,
): Entry => ({
  on,
  category: "authority",
  action,
  docket,
  authorityType: authority_class,
  details: { words },
  dataset: "legacy_authhist",
});

/**
 * The orders of both registries, each with the day on which it was discontinued. The legacy registry has most orders twice:
 * as an order, and as a proceeding of the history with its final action.
 */
export function orderEntries(
  orders: readonly OrdersRow[],
  motus: readonly MotusMovesRow[],
  legacy: readonly LegacyMovesRow[],
): Entry[] {
  const proceedings = legacy.filter(({ began }) => began === "proceeding");
  const told = new Set(proceedings.map(({ docket, action_on }) => `${docket} ${action_on}`));
  const ofProceedings = proceedings.map((row) => {
    const served = orders.find(
      ({ docket, served_on }) => docket === row.docket && served_on === row.action_on,
    );
    const entry = legacyEntry(row, row.action_on, "order_served", row.action);
    const effectiveOn = served?.effective_on ?? null;
    return discontinued(
      { ...entry, category: "order", details: { ...entry.details, servedOn: row.action_on, effectiveOn } },
      row.ended === "proceeding_stopped" ? row.final_on : null,
    );
  });
  const others = orders.filter(
    ({ docket, served_on, dataset }) => !isLegacy(dataset) || !told.has(`${docket} ${served_on}`),
  );
  // A discontinuation is of the newest order that was served before it. The files may no longer have that order.
  const stopped = new Map<OrdersRow, string | null>();
  const ofStops: Entry[] = [];
  for (const stop of motus.filter(({ meaning }) => meaning === "revocation_stopped")) {
    const order = newestBefore(others, stop);
    if (order && !stopped.has(order)) stopped.set(order, stop.on);
    else ofStops.push(discontinued(stopEntry(stop), stop.on));
  }
  const ofOrders = others.map((order) => discontinued(orderEntry(order), stopped.get(order) ?? null));
  return [...ofProceedings, ...ofOrders, ...ofStops];
}

/** Orders take effect some 30 days after they are served. A discontinuation long after that is of another order. */
const STOPPABLE_MS = 60 * DAY_MS;

const newestBefore = (orders: readonly OrdersRow[], { docket, authority_class: type, on }: MotusMovesRow) =>
  orders
    .filter((order) => order.docket === docket && (order.authority_class ?? type) === type)
    .filter((order) => {
      const sinceMs = Date.parse(on ?? "") - Date.parse(dayOfOrder(order));
      return sinceMs >= 0 && sinceMs <= STOPPABLE_MS;
    })
    .toSorted((one, other) => (dayOfOrder(one) < dayOfOrder(other) ? 1 : -1))[0];

const dayOfOrder = ({ served_on, effective_on }: OrdersRow): string => served_on ?? effective_on ?? "";

const stopEntry = ({ docket, authority_class, on, reason }: MotusMovesRow): Entry => ({
  on,
  category: "order",
  action: "order_discontinued",
  docket,
  authorityType: authority_class,
  details: { words: reason },
  dataset: "motus_authhist",
});

const orderEntry = (order: OrdersRow): Entry => ({
  on: order.served_on ?? order.effective_on,
  recordedOn: order.filed_on ?? order.effective_on,
  category: "order",
  action: "order_served",
  docket: order.docket,
  authorityType: order.authority_class,
  details: { words: order.order_type, servedOn: order.served_on, effectiveOn: order.effective_on },
  dataset: order.dataset,
});

const discontinued = (entry: Entry, endedOn: string | null): Entry =>
  endedOn === null
    ? entry
    : { ...entry, action: "order_discontinued", details: { ...entry.details, endedOn } };
