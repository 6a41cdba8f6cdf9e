import type pg from "pg";
import { updateAuthorities } from "./authorities/authorities.ts";
import { noteCancellations } from "./authorities/cancellation-notices.ts";
import { settleHistory } from "./authorities/motus-history.ts";
import { updatePendingRevocations } from "./authorities/pending-revocations.ts";
import { DATASETS, type Dataset } from "./datasets.ts";
import type { Changes } from "./merge.ts";
import { refreshWords } from "./vocabularies/words.ts";

export interface RegistryUpdate {
  asOf: string;
  /** The as-of day of the previous import; null for a first import. */
  previousAsOf: string | null;
  /** The datasets that the merges changed; all unless given. */
  changed?: ReadonlySet<Dataset>;
  /** Whether InsHist was imported before: then a new cancellation is newer than the previous import. */
  knewEndedPolicies?: boolean;
}

/**
 * Recomputes everything derived from the merged files: the meanings of words, the status of each authority, and pending
 * orders. Runs in the caller's transaction, after the merges.
 */
export async function updateRegistry(
  client: pg.ClientBase,
  { asOf, previousAsOf, changed = new Set(DATASETS), knewEndedPolicies = false }: RegistryUpdate,
): Promise<{ authorities: Changes; pendingRevocations: number }> {
  await refreshWords(client, changed);
  await settleHistory(client);
  if (changed.has("motus_inshist")) await noteCancellations(client, knewEndedPolicies ? previousAsOf : null);
  const authorities = await updateAuthorities(client, { asOf, previousAsOf });
  return { authorities, pendingRevocations: await updatePendingRevocations(client, asOf) };
}

/** Deletes the whole registry, as before the first import. Runs in the caller's transaction. */
export async function clearRegistry(client: pg.ClientBase): Promise<void> {
  await client.query(
    `TRUNCATE ${DATASETS.join(", ")}, authority, pending_revocation, shared_contact, source, cancellation_notice,
       seen_order`,
  );
}
