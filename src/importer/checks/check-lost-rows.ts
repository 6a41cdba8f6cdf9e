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
}

const HISTORY_LOSS = 0.01;
// These two have really shrunk by a third after a clean-up.
const INSURANCE_LOSS = 0.5;

const LASTING: Partial<Record<Dataset, Lasting>> = {
  census: { key: ["usdot"], kind: null, mostLost: HISTORY_LOSS },
  motus_carrier: {
    key: ["docket", "usdot", "authority_class"],
    kind: "authority_class",
    mostLost: HISTORY_LOSS,
  },
  motus_authhist: {
    key: ["docket", "authority_class", "status", "changed_on"],
    kind: "authority_class",
    mostLost: HISTORY_LOSS,
  },
  motus_revokesuspend: {
    key: ["docket", "usdot", "authority_class", "served_on", "effective_on"],
    kind: "authority_class",
    mostLost: HISTORY_LOSS,
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
  },
  motus_inshist: {
    key: ["docket", "type_code", "policy_key", "effective_on", "cancelled_on"],
    kind: null,
    mostLost: INSURANCE_LOSS,
  },
};
/** Fewer than these are a correction here and there, unless they are much of a small class, or all of it. */
const FEWEST_LOST = 25;
const FEWEST_LOST_OF_SMALL = 5;
const MOST_LOST_OF_SMALL = 0.05;
const FEWEST_LOST_WHOLE = 3;

function isLoss({ kind, mostLost }: Lasting, lost: number, before: number): boolean {
  if (lost >= FEWEST_LOST && lost > before * mostLost) return true;
  if (kind === null) return false;
  return (
    (lost >= FEWEST_LOST_OF_SMALL && lost > before * MOST_LOST_OF_SMALL) ||
    (lost >= FEWEST_LOST_WHOLE && lost === before)
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
  const { key, kind } = lasting;
  const columns = key.join(", ");
  // Grouping compares nulls as equal, and its cost grows with the number of rows; that of a NOT EXISTS would with its square.
  const { rows } = await client.query<{ kind: string | null; lost: number; before: number }>(
    `SELECT kind, coalesce(sum(stored) FILTER (WHERE staged = 0), 0)::int AS lost, sum(stored)::int AS before
     FROM (
       SELECT ${kind ?? "NULL"} AS kind,
         count(*) FILTER (WHERE is_stored) AS stored, count(*) FILTER (WHERE NOT is_stored) AS staged
       FROM (
         SELECT true AS is_stored, ${columns} FROM ${dataset}
         UNION ALL SELECT false, ${columns} FROM staging.${dataset}
       ) AS either
       GROUP BY ${columns}
     ) AS statements
     GROUP BY kind ORDER BY kind`,
  );
  return rows
    .filter(({ lost, before }) => isLoss(lasting, lost, before))
    .map(({ kind: of, lost, before }) => [
      `lost-rows:${dataset}`,
      `${titleOf(dataset)} no longer has ${lost} of the ${before} rows${of === null ? "" : ` of ${of}`} that it had ` +
        `(${percent(lost / before)}), by ${key.join(", ")}`,
    ]);
}
