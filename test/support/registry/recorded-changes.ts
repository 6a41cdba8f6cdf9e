import type { Context, Database } from "../../../src/platform/context.ts";
import { putRows } from "../rows.ts";

/** A change of a carrier as an import records it; the number of trucks unless said otherwise. */
export interface GivenChange {
  usdot: number;
  category?: string;
  field?: string;
  before?: unknown;
  after?: unknown;
  item?: object;
}

/** Records changes as one import would, in this order. Returns their ids. */
export async function putChanges(db: Database, changes: readonly GivenChange[], at: Date): Promise<number[]> {
  const { rows } = await db.pool.query<{ id: number }>(
    `INSERT INTO carrier_change (id, usdot, category, field, item, old_value, new_value, as_of, seen_at, source)
     SELECT coalesce((SELECT max(id) FROM carrier_change), 0) + row_number() OVER (ORDER BY place), (given ->> 'usdot')::int,
       given ->> 'category', given ->> 'field', (given -> 'item')::jsonb, nullif((given -> 'before')::jsonb, 'null'), nullif((given -> 'after')::jsonb, 'null'), $2::timestamptz, $2, 'census'
     FROM json_array_elements($1) WITH ORDINALITY AS list (given, place) ORDER BY place
     RETURNING id`,
    [JSON.stringify(changes.map((change) => ({ ...DEFAULTS, ...change }))), at],
  );
  return rows.map(({ id }) => id);
}

const DEFAULTS = { category: "fleet", field: "power_units", before: 3, after: 5 };

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
