import type pg from "pg";
import type { Dataset } from "../../registry/datasets.ts";
import { titleOf } from "../layouts/layouts.ts";
import { type Complaint, percent } from "./check-against-last.ts";

/** What a whole file does not lose from one day to the next. */
interface Lasting {
  /** What one of its statements is known by, however it is worded. */
  key: readonly string[];
  /** By what the statements are counted apart; null where they are counted together. */
  kind: string | null;
  /** The share of them that may go. */
  mostLost: number;
  /** What of one kind may go where that is less; only of `kind`s. */
  ofSmall?: { fewest: number; most: number };
  /** What stays of a statement when only its dates are other ones, and the share of them that may be re-dated. */
  redated?: { key: readonly string[]; most: number };
}

const HISTORY_LOSS = 0.01;
/** A history only grows: two orders that are gone could be two brokers that look clean. */
const SMALL_HISTORY = { fewest: 2, most: 0.02 };
/** Carrier moves a docket to another USDOT number now and then. */
const SMALL_CARRIER = { fewest: 5, most: 0.05 };
// These two have really shrunk by a third after a clean-up.
const INSURANCE_LOSS = 0.5;

const LASTING: Partial<Record<Dataset, Lasting>> = {
  census: { key: ["usdot"], kind: null, mostLost: HISTORY_LOSS },
  motus_carrier: {
    key: ["docket", "usdot", "authority_class"],
    kind: "authority_class",
    mostLost: HISTORY_LOSS,
    ofSmall: SMALL_CARRIER,
  },
  motus_authhist: {
    key: ["docket", "authority_class", "status", "changed_on"],
    kind: "authority_class",
    mostLost: HISTORY_LOSS,
    ofSmall: SMALL_HISTORY,
  },
  motus_revokesuspend: {
    key: ["docket", "usdot", "authority_class", "served_on", "effective_on"],
    kind: "authority_class",
    mostLost: HISTORY_LOSS,
    ofSmall: SMALL_HISTORY,
  },
  // The frozen files never change: they are held against what is stored only when their bytes differ.
  legacy_carrier: { key: ["docket"], kind: null, mostLost: HISTORY_LOSS },
  legacy_authhist: {
    key: ["docket", "authority_class", "action", "action_on", "final_on"],
    kind: null,
    mostLost: HISTORY_LOSS,
  },
  motus_insur: {
    key: ["docket", "type_code", "policy_key", "effective_on", "filed_on"],
    kind: null,
    mostLost: INSURANCE_LOSS,
    // A policy is filed anew about once a year: fewer than one in ten between imports a month apart.
    redated: { key: ["docket", "type_code", "policy_key"], most: 0.1 },
  },
  motus_inshist: {
    key: ["docket", "type_code", "policy_key", "effective_on", "cancelled_on"],
    kind: null,
    mostLost: INSURANCE_LOSS,
  },
};
/** Fewer than these are a correction here and there, unless they are much of a small class, or all of it. */
const FEWEST_LOST = 25;
const FEWEST_LOST_WHOLE = 3;

function isLoss({ mostLost, ofSmall }: Lasting, lost: number, before: number): boolean {
  if (lost >= FEWEST_LOST && lost > before * mostLost) return true;
  if (!ofSmall) return false;
  return (
    (lost >= ofSmall.fewest && lost > before * ofSmall.most) || (lost >= FEWEST_LOST_WHOLE && lost === before)
  );
}

/** Whether a whole file of the dataset is held against what is stored. */
export const isLasting = (dataset: Dataset): boolean => dataset in LASTING;

/** Complains when a staged whole file lacks what its dataset held and cannot lose: rows dropped, moved or re-dated. */
export async function lostRowComplaints(
  client: pg.ClientBase | pg.Pool,
  dataset: Dataset,
): Promise<Complaint[]> {
  const lasting = LASTING[dataset];
  if (!lasting) return [];
  const { key, kind, redated } = lasting;
  const lost = absent(dataset, key);
  const counts = await countByKind(client, dataset, kind, lost);
  const complaints = counts
    .filter(({ count, before }) => isLoss(lasting, count, before))
    .map(
      ({ kind: of, count, before }): Complaint => [
        `lost-rows:${dataset}`,
        `${titleOf(dataset)} no longer has ${count} of the ${before} rows${of === null ? "" : ` of ${of}`} that it had ` +
          `(${percent(count / before)}), by ${key.join(", ")}`,
      ],
    );
  if (!redated || complaints.length > 0) return complaints;
  const moved = `${lost} AND ${present(dataset, redated.key)}`;
  return (await countByKind(client, dataset, null, moved))
    .filter(({ count, before }) => count >= FEWEST_LOST && count > before * redated.most)
    .map(({ count, before }) => [
      `lost-rows:${dataset}`,
      `${titleOf(dataset)} has ${count} of the ${before} rows that it had (${percent(count / before)}) with other dates ` +
        `only: ${key.filter((name) => !redated.key.includes(name)).join(", ")}`,
    ]);
}

/** The condition that no staged row says what a stored one does. */
function absent(dataset: Dataset, key: readonly string[]): string {
  // Most rows came again as they were; only the others are looked up by their key.
  const changed = dataset === "census" ? [] : [`NOT ${staged(dataset, "staged.row_id = stored.row_id")}`];
  return [...changed, `NOT ${present(dataset, key)}`].join(" AND ");
}

/**
 * The condition that a staged row has a stored one's key. Compared by `=` alone, which PostgreSQL can hash: IS NOT
 * DISTINCT FROM would compare each row with every other.
 */
function present(dataset: Dataset, key: readonly string[]): string {
  const text = (row: string, name: string) =>
    dataset === "census" ? `${row}.${name}` : `coalesce(${row}.${name}::text, '')`;
  return staged(
    dataset,
    key.map((name) => `${text("staged", name)} = ${text("stored", name)}`).join(" AND "),
  );
}

const staged = (dataset: Dataset, condition: string): string =>
  `EXISTS (SELECT FROM staging.${dataset} AS staged WHERE ${condition})`;

/** The stored rows that meet a condition, and all there are, by kind. */
async function countByKind(
  client: pg.ClientBase | pg.Pool,
  dataset: Dataset,
  kindColumn: string | null,
  condition: string,
): Promise<{ kind: string | null; count: number; before: number }[]> {
  const kind = kindColumn ?? "NULL::text";
  const { rows } = await client.query<{ kind: string | null; count: number; before: number }>(
    `WITH counted AS (SELECT ${kind} AS kind, count(*)::int AS count FROM ${dataset} AS stored WHERE ${condition} GROUP BY 1),
       before AS (SELECT ${kind} AS kind, count(*)::int AS before FROM ${dataset} GROUP BY 1)
     SELECT before.kind, coalesce(counted.count, 0) AS count, before.before
     FROM before LEFT JOIN counted ON counted.kind IS NOT DISTINCT FROM before.kind ORDER BY before.kind`,
  );
  return rows;
}
