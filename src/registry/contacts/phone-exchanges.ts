import { parsePhoneNumberFromString } from "libphonenumber-js/max";
import type pg from "pg";
import * as sql from "../../generated/sql/registry/contacts.ts";

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

/** Adds the exchange of each phone to phone_exchange, with its line type. An exchange is the first six digits. */
export async function typePhoneExchanges(client: pg.ClientBase, phones: readonly string[]): Promise<void> {
  await sql.insertPhoneExchanges(client, {
    exchanges: phones.map((phone) => phone.slice(0, 6)),
    phoneTypes: phones.map(phoneTypeOf),
  });
}
