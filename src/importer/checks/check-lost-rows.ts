import { dynamic, type Queryable } from "../../platform/database/statement.ts";
import type { Dataset } from "../../registry/datasets.ts";
import { titleOf } from "../official/official-files.ts";
import { type Complaint, percent } from "./complaint.ts";

/** How many of its stored rows a new whole file may lack. */
interface LossLimit {
  /** The columns that identify a row, whatever its wording. */
  key: readonly string[];
  /** Rows are counted separately for each value of this column; null: all together. */
  kind: string | null;
  /** The share of the rows that may be missing. */
  mostLost: number;
  /** A stricter limit for small kinds: complains from `fewest` rows on when more than the share `most` is missing. */
  ofSmall?: { fewest: number; most: number };
  /** The columns that stay equal when only the dates of a row changed, and the share of such rows that is accepted. */
  redated?: { key: readonly string[]; most: number };
}

const HISTORY_LOSS = 0.01;
/** A history only grows. Two missing orders could hide the revocation of two brokers. */
const SMALL_HISTORY = { fewest: 2, most: 0.02 };
/** Motus Carrier sometimes moves a docket to another USDOT number. */
const SMALL_CARRIER = { fewest: 5, most: 0.05 };
// Both real insurance files once shrank by a third after a clean-up.
const INSURANCE_LOSS = 0.5;

const CENSUS: LossLimit = { key: ["usdot"], kind: null, mostLost: HISTORY_LOSS };

const LOSS_LIMITS: Partial<Record<Dataset, LossLimit>> = {
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
  // Rescinded orders stay in the file.
  oos_order: { key: ["usdot", "ordered_on"], kind: null, mostLost: HISTORY_LOSS, ofSmall: SMALL_HISTORY },
  motus_boc3: { key: ["docket", "usdot"], kind: null, mostLost: HISTORY_LOSS },
  legacy_boc3: { key: ["docket"], kind: null, mostLost: HISTORY_LOSS },
  // The legacy files never change, so they are compared with the stored rows only when their bytes differ.
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
    // A policy is filed again about once a year: fewer than one in ten between imports a month apart.
    redated: { key: ["docket", "type_code", "policy_key"], most: 0.1 },
  },
  motus_inshist: {
    key: ["docket", "type_code", "policy_key", "effective_on", "cancelled_on"],
    kind: null,
    mostLost: INSURANCE_LOSS,
  },
};
/** Fewer missing rows than this are normal corrections, unless they are much or all of a small kind. */
const FEWEST_LOST = 25;
const FEWEST_LOST_WHOLE = 3;

function isLoss({ mostLost, ofSmall }: LossLimit, lost: number, before: number): boolean {
  if (lost >= FEWEST_LOST && lost > before * mostLost) return true;
  if (!ofSmall) return false;
  return (
    (lost >= ofSmall.fewest && lost > before * ofSmall.most) || (lost >= FEWEST_LOST_WHOLE && lost === before)
  );
}

/** Whether a whole file of the dataset is compared with the stored rows. */
export const hasLossLimit = (dataset: Dataset): boolean => dataset in LOSS_LIMITS;

/** Complains when a staged whole file lacks too many stored rows: they were dropped, moved or got other dates. */
export async function lostRowComplaints(client: Queryable, dataset: Dataset): Promise<Complaint[]> {
  const limit = LOSS_LIMITS[dataset];
  if (!limit) return [];
  const { key, kind, redated } = limit;
  const lost = absent(dataset, key);
  const counts = await countByKind(client, dataset, kind, lost);
  const complaints = counts
    .filter(({ count, before }) => isLoss(limit, count, before))
    .map((loss) => complaintOf(dataset, limit, loss));
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

/**
 * Complains when a census lacked too many of the `before` rows that were stored. Its merge finds the rows to delete by
 * their key anyhow, so this check comes after it: comparing half a million companies twice would take as long again.
 */
export function censusLossComplaints({ lost, before }: { lost: number; before: number }): Complaint[] {
  return isLoss(CENSUS, lost, before)
    ? [complaintOf("census", CENSUS, { kind: null, count: lost, before })]
    : [];
}

/**
 * Complains when a frozen file whose bytes are others has other rows too. Another form of the same rows, such as a
 * compressed one, is no change.
 */
export async function frozenComplaints(client: Queryable, dataset: Dataset): Promise<Complaint[]> {
  const only = (rows: string, others: string) =>
    `(SELECT count(*)::int FROM ${rows} AS one WHERE NOT EXISTS (
       SELECT FROM ${others} AS other WHERE other.row_id = one.row_id))`;
  const { rows } = await dynamic(
    client,
    `SELECT ${only(`staging.${dataset}`, dataset)} AS added, ${only(dataset, `staging.${dataset}`)} AS gone`,
  );
  const [{ added, gone }] = rows as [{ added: number; gone: number }];
  if (added + gone === 0) return [];
  const sentence = `${titleOf(dataset)} is frozen, but ${gone} rows of the first import are gone and ${added} are new`;
  return [[`frozen-changed:${dataset}`, sentence]];
}

interface Loss {
  /** The kind of rows that were counted; null for all. */
  kind: string | null;
  count: number;
  before: number;
}

const complaintOf = (dataset: Dataset, { key }: LossLimit, { kind, count, before }: Loss): Complaint => [
  `lost-rows:${dataset}`,
  `${titleOf(dataset)} no longer has ${count} of the ${before} rows${kind === null ? "" : ` of ${kind}`} that it had ` +
    `(${percent(count / before)}), by ${key.join(", ")}`,
];

/** SQL condition: no staged row corresponds to the stored one. Only rows that changed are looked up by their key. */
const absent = (dataset: Dataset, key: readonly string[]): string =>
  `NOT ${staged(dataset, "staged.row_id = stored.row_id")} AND NOT ${present(dataset, key)}`;

/**
 * SQL condition: a staged row has the stored row's key. It uses only `=`, so that PostgreSQL can hash. With IS NOT
 * DISTINCT FROM it would compare each row with every other one.
 */
function present(dataset: Dataset, key: readonly string[]): string {
  const text = (row: string, name: string) => `coalesce(${row}.${name}::text, '')`;
  return staged(
    dataset,
    key.map((name) => `${text("staged", name)} = ${text("stored", name)}`).join(" AND "),
  );
}

const staged = (dataset: Dataset, condition: string): string =>
  `EXISTS (SELECT FROM staging.${dataset} AS staged WHERE ${condition})`;

/** By kind, the number of stored rows that meet the condition, and of all stored rows. */
async function countByKind(
  client: Queryable,
  dataset: Dataset,
  kindColumn: string | null,
  condition: string,
): Promise<Loss[]> {
  const kind = kindColumn ?? "NULL::text";
  const { rows } = await dynamic(
    client,
    `WITH counted AS (SELECT ${kind} AS kind, count(*)::int AS count FROM ${dataset} AS stored WHERE ${condition} GROUP BY 1),
       before AS (SELECT ${kind} AS kind, count(*)::int AS before FROM ${dataset} GROUP BY 1)
     SELECT before.kind, coalesce(counted.count, 0) AS count, before.before
     FROM before LEFT JOIN counted ON counted.kind IS NOT DISTINCT FROM before.kind ORDER BY before.kind`,
  );
  return rows as Loss[];
}
