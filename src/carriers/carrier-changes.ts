import * as sql from "../generated/sql/carriers.ts";
import type { Context } from "../platform/context.ts";
import { type RecordedSince, recordedSince } from "../registry/changes/record-changes.ts";
import type { ChangeCategory } from "../registry/changes/recorded-fields.ts";

/** A recorded change. Its values are null for "none", and for a contact that is blanked. */
export type CarrierChange = sql.ReadChangesRow;

/** The recorded changes of a carrier, newest first, and since when each category is recorded. */
export interface CarrierHistory {
  usdot: number;
  recorded_since: RecordedSince;
  changes: CarrierChange[];
}

export interface HistoryQuery {
  category: ChangeCategory | null;
  /** Changes that were seen at this time or later. */
  since: Date | null;
  limit: number;
}

/**
 * Reads the recorded changes of one USDOT number. A business on the removal list has none, and blanked contacts are left
 * out: the lists are read now, so they also hold for changes that were recorded before.
 */
export async function readCarrierChanges(
  context: Context,
  usdot: number,
  query: HistoryQuery,
): Promise<CarrierHistory> {
  const [changes, recorded_since] = await Promise.all([
    sql.readChanges(context.db.pool, { usdot, ...query }),
    recordedSince(context),
  ]);
  return { usdot, recorded_since, changes };
}

/** Since when each category is recorded, as answers tell it. */
export const recordedSinceOut = (recorded: RecordedSince): Record<string, string> =>
  Object.fromEntries(Object.entries(recorded).map(([name, instant]) => [name, instant.toISOString()]));
