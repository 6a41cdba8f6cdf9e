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

/** Puts so many changes of one carrier at once, with the ids after another one. */
export const putManyChanges = (
  { db }: Context,
  { afterId, count, usdot, seenAt }: { afterId: number; count: number; usdot: number; seenAt: string },
): Promise<unknown> =>
  db.pool.query(
    `INSERT INTO carrier_change (id, usdot, category, field, old_value, new_value, as_of, seen_at, source)
     SELECT $1 + number, $2, 'fleet', 'drivers', '1', '2', $3::timestamptz, $3, 'census' FROM generate_series(1, $4::int) AS number`,
    [afterId, usdot, seenAt, count],
  );
