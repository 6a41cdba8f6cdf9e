import type pg from "pg";
import { updateAuthorities } from "./authorities.ts";
import { noteCancellations } from "./cancellation-notices.ts";
import { DATASETS, type Dataset } from "./datasets.ts";
import type { Changes } from "./merge.ts";
import { settleHistory } from "./motus-history.ts";
import { updatePendingRevocations } from "./pending-revocations.ts";
import { refreshWords } from "./words.ts";

export interface RegistryUpdate {
  asOf: string;
  /** The as-of day of the import before; null for a first one. */
  previousAsOf: string | null;
  /** The datasets that the merges changed; all of them when left out. */
  changed?: ReadonlySet<Dataset>;
  /** Whether InsHist was imported before: then the notice of a cancellation that comes now came since. */
  knewEndedPolicies?: boolean;
}

/**
 * Works out anew what follows from the merged files: what their words mean, how each authority stands, which orders are
 * pending on it. Runs in the caller's transaction, after the merges.
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
