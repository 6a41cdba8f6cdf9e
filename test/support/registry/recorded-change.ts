import type { Context } from "../../../src/platform/context.ts";

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
}

/** Puts a change into the table that imports write. */
export async function putChange({ db }: Context, change: Recorded): Promise<void> {
  const { id, usdot, docket = null, item = null, category, field, before, after, on = null, seenAt } = change;
  const values = [JSON.stringify(before), JSON.stringify(after), on, seenAt];
  await db.pool.query(
    `INSERT INTO carrier_change
       (id, usdot, docket, item, category, field, old_value, new_value, registry_on, as_of, seen_at, source)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10::timestamptz, $10, 'census')`,
    [id, usdot, docket, item, category, field, ...values],
  );
}
