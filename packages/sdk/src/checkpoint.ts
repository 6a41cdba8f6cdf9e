import { createHash } from "node:crypto";

/** A record, as the API sends it. */
export type PlainRecord = Readonly<Record<string, unknown>>;

const MODULUS = 2n ** 64n;

/**
 * The digest of a checkpoint: the sum of the records' hashes, whatever their order. `columns` are the feed's columns
 * that are not volatile, in its order.
 */
export function digestOf(records: Iterable<PlainRecord>, columns: readonly string[]): string {
  let sum = 0n;
  for (const record of records) {
    const text = columns.map((name) => textOf(record[name])).join("\u001f");
    sum += createHash("sha256").update(text).digest().readBigUInt64BE();
  }
  return (sum % MODULUS).toString(16).padStart(16, "0");
}

const textOf = (value: unknown): string =>
  Array.isArray(value) ? value.join(";") : value === null || value === undefined ? "" : String(value);
