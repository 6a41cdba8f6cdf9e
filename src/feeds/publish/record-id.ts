import type { Feed } from "../catalogue.ts";

/** The digits of a hash as letters. Spreadsheets read a text of digits as a number, and cut it. */
const [DIGITS, LETTERS] = ["0123456789abcdef", "abcdefghijklmnop"];
const LENGTH = 16;

/**
 * SQL: the id of a row of `record`, made of the columns that identify it within its feed. `key` is SQL for the key of the
 * installation: without it nobody can compute ids, or find the company of an id.
 */
export function recordId({ code, recordKey }: Feed, key: string): string {
  const names = recordKey.map((name) => `coalesce(record.${name}::text, '')`);
  const text = `concat_ws('|', '${code}', ${names.join(", ")})`;
  const hash = `encode(sha256(${key} || convert_to(${text}, 'UTF8')), 'hex')`;
  return `translate(left(${hash}, ${LENGTH}), '${DIGITS}', '${LETTERS}')`;
}
