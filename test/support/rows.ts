// Rows that a test writes itself. A table's required columns have defaults here, so that a new column changes this file
// and no test.
import { randomUUID } from "node:crypto";
import type pg from "pg";
import { wholeRow } from "./registry/registry-rows.ts";

export type Client = Pick<pg.ClientBase, "query">;

/** Values by column. A list of them as a condition means any of them. */
export type Row = Readonly<Record<string, unknown>>;

/** Required columns of tables other than the registry's: registry-rows.ts has those. */
const DEFAULTS: Readonly<Record<string, () => Row>> = {
  account: () => ({ name: "A", licence_ref: randomUUID(), created_at: new Date() }),
  authority: () => ({
    docket: "MC100001",
    authority_class: "carrier_property",
    usdot: 1001,
    op_auth_type: "Motor Carrier of Property (Except Household Goods)",
    status: "active",
    status_source: "motus",
    revocation_pending: false,
    first_seen_on: "2026-01-01",
    in_motus: true,
  }),
  blanked_contact: () => ({ request_id: 1, blanked_at: new Date() }),
  event: () => ({
    type: "new_authority_granted",
    country: "US",
    usdot: 4_300_000,
    state: "TX",
    detected_at: "2026-11-20T11:20:05Z",
    source_dataset: "authority_history",
    data: "{}",
    identity: randomUUID(),
  }),
  suppressed_business: () => ({ request_id: 1, suppressed_at: new Date() }),
  webhook_endpoint: () => ({
    url: "https://hooks.example.com",
    event_types: ["reinstated"],
    secret_sealed: "",
    secret_prefix: "",
    created_at: new Date(),
    after_event_id: 0,
  }),
};

/** So many rows go into one statement, which has at most 65,535 values. */
const AT_ONCE = 1_000;

/**
 * Inserts rows, which have the same columns, into a table; columns that are not given have their defaults. Returns them
 * as they are stored.
 */
export async function putRows<Stored = { id: number }>(
  client: Client,
  table: string,
  ...rows: readonly Row[]
): Promise<Stored[]> {
  const stored: Stored[] = [];
  for (let at = 0; at < rows.length; at += AT_ONCE) {
    const whole = rows.slice(at, at + AT_ONCE).map((row) => ({
      ...DEFAULTS[table]?.(),
      ...wholeRow(table, row as Parameters<typeof wholeRow>[1]),
    }));
    const names = Object.keys(whole[0] ?? {});
    const values: unknown[] = [];
    const tuples = whole.map(
      (row: Row) => `(${names.map((name) => `$${values.push(row[name])}`).join(", ")})`,
    );
    const { rows: written } = await client.query(
      `INSERT INTO ${table} (${names.join(", ")}) VALUES ${tuples.join(", ")} RETURNING *`,
      values,
    );
    stored.push(...written);
  }
  return stored;
}

/** Changes the rows that have all values of `where`, or every row. */
export async function changeRows(
  client: Client,
  table: string,
  changes: Row,
  where: Row = {},
): Promise<void> {
  const values: unknown[] = [];
  const assignments = Object.entries(changes).map(([name, value]) => `${name} = $${values.push(value)}`);
  const condition = conditionOf(where, values);
  await client.query(`UPDATE ${table} SET ${assignments.join(", ")} WHERE ${condition}`, values);
}

/** Deletes the rows that have all values of `where`, or every row. */
export async function removeRows(client: Client, table: string, where: Row = {}): Promise<void> {
  const values: unknown[] = [];
  const condition = conditionOf(where, values);
  await client.query(`DELETE FROM ${table} WHERE ${condition}`, values);
}

/** Empties tables, and those that refer to them. */
export async function emptyTables(client: Client, ...tables: readonly string[]): Promise<void> {
  await client.query(`TRUNCATE ${tables.join(", ")} CASCADE`);
}

/** A WHERE of equal values, which are added to `values`. */
function conditionOf(where: Row, values: unknown[]): string {
  const parts = Object.entries(where).map(([name, value]) => {
    const place = `$${values.push(value)}`;
    return Array.isArray(value) ? `${name} = ANY (${place})` : `${name} IS NOT DISTINCT FROM ${place}`;
  });
  return ["TRUE", ...parts].join(" AND ");
}
