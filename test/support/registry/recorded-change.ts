import type { Context } from "../../../src/platform/context.ts";
import { putRows } from "../rows.ts";

/** A recorded change of a carrier, as an import writes it. */
export interface Recorded {
  id: number;
  usdot: number;
  category: string;
  field: string;
  before: unknown;
  after: unknown;
  seenAt: string;
  docket?: string;
  item?: object;
  on?: string;
  /** The dataset; of the census unless given. */
  source?: string;
}

/** Puts a change into the table that imports write. */
export const putChange = (
  { db }: Context,
  { before, after, item, on, seenAt, ...change }: Recorded,
): Promise<unknown> =>
  putRows(db.pool, "carrier_change", {
    source: "census",
    ...change,
    item: item === undefined ? null : JSON.stringify(item),
    old_value: JSON.stringify(before),
    new_value: JSON.stringify(after),
    registry_on: on ?? null,
    as_of: seenAt.slice(0, 10),
    seen_at: seenAt,
  });
