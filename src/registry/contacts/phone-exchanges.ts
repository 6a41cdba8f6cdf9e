import { parsePhoneNumberFromString } from "libphonenumber-js/max";
import type pg from "pg";
import * as sql from "./statements.ts";

const TOLL_FREE = new Set(["800", "833", "844", "855", "866", "877", "888"]);

/**
 * The line type that follows from a North American number itself. Nearly all are `either`, since phone companies share
 * exchanges. A number filed as a cell phone proves no type, and toll-free numbers have none.
 */
function phoneTypeOf(phone: string): "mobile" | "landline" | "either" {
  if (TOLL_FREE.has(phone.slice(0, 3))) return "either";
  const type = parsePhoneNumberFromString(`+1${phone}`)?.getType();
  if (type === "MOBILE") return "mobile";
  return type === "FIXED_LINE" ? "landline" : "either";
}

/**
 * Adds missing exchanges to phone_exchange with their line type, for the phones in `column` of the temporary table
 * `table`. An exchange is the first six digits, the unit in which numbers are assigned.
 */
export async function typePhoneExchanges(
  client: pg.ClientBase,
  table: string,
  column: string,
): Promise<void> {
  const { rows } = await client.query<{ phone: string }>(
    `SELECT min(${column}) AS phone FROM ${table}
     WHERE ${column} IS NOT NULL AND NOT EXISTS (
       SELECT FROM phone_exchange WHERE exchange = left(${column}, 6))
     GROUP BY left(${column}, 6)`,
  );
  await sql.insertPhoneExchanges.run(client, {
    exchanges: rows.map(({ phone }) => phone.slice(0, 6)),
    phoneTypes: rows.map(({ phone }) => phoneTypeOf(phone)),
  });
}
