import type pg from "pg";
import * as sql from "../../generated/sql/registry/authorities.ts";
import { dynamic } from "../../platform/database/statement.ts";
import { DATASETS, type Dataset } from "../datasets.ts";
import type { Changes } from "../merge/merge.ts";
import { refreshWords } from "../vocabularies/words.ts";
import { updateAuthorities } from "./authorities.ts";
import { prepareHistory, recordCancellations } from "./motus-history.ts";
import { updatePendingRevocations } from "./pending-revocations.ts";

export interface RegistryUpdate {
  asOf: string;
  /** The as-of day of the previous import; null for the first one. */
  previousAsOf: string | null;
  /** The datasets that the merges changed; all if left out. */
  changed?: ReadonlySet<Dataset>;
  /**
   * Whether InsHist was imported before. Then the notice of a cancellation that is new in it came after that import.
   */
  hadEndedPolicies?: boolean;
}

/**
 * Computes from the merged files the meanings of their words, the state of each authority, and the pending orders. Runs
 * in the caller's transaction, after the merges.
 */
export async function updateRegistry(
  client: pg.ClientBase,
  { asOf, previousAsOf, changed = new Set(DATASETS), hadEndedPolicies = false }: RegistryUpdate,
): Promise<{ authorities: Changes; haveRulesChanged: boolean; pendingRevocations: number }> {
  await refreshWords(client, changed);
  await prepareHistory(client);
  const { changes: authorities, haveRulesChanged } = await updateAuthorities(client, { asOf, previousAsOf });
  await sql.resolvePolicies(client);
  if (changed.has("motus_inshist")) await recordCancellations(client, hadEndedPolicies ? previousAsOf : null);
  const pendingRevocations = await updatePendingRevocations(client, asOf);
  return { authorities, haveRulesChanged, pendingRevocations };
}

/** Empties the whole registry, as before the first import. Runs in the caller's transaction. */
export async function clearRegistry(client: pg.ClientBase): Promise<void> {
  await dynamic(
    client,
    `TRUNCATE ${DATASETS.join(", ")}, authority, pending_revocation, filed_contact, shared_contact, source,
       cancellation_notice, seen_order, carrier_change, recorded_field`,
  );
}
