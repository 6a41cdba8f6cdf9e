import type pg from "pg";
import { TIME_ZONES } from "../../../src/feeds/codes.ts";
import { CARGO_WORDS } from "../../../src/registry/cargo.ts";
import { STATE_CODES } from "../../../src/registry/places/state-codes.ts";
import type { FeedRecord, Value } from "./published-feed.ts";
import { contentHash } from "./published-step.ts";

/** Columns of a version's table that filters read, and how a packed one codes its values. */
const PACKED_COLUMNS: [string, string, (value: Value) => number][] = [
  ["state", "text", (value) => STATE_CODES.indexOf(String(value))],
  ["power_units", "integer", Number],
  ["authority_granted", "date", daysOf],
  ["last_verified", "date", daysOf],
  ["general_freight", "boolean", Number],
  ["has_cell", "boolean", Number],
  ["out_of_service", "boolean", Number],
  ["cancellation_pending", "date", daysOf],
  ["time_zone", "text", (value) => TIME_ZONES.indexOf(String(value))],
  ["phone_type", "text", (value) => ["mobile", "landline", "either"].indexOf(String(value))],
  ["hazmat", "boolean", Number],
  ["is_individual", "boolean", Number],
  ["cargo", "integer", bitsOf],
  // The index of the text in the version's own list: writePacked.
  ["insurer", "text", () => 0],
  ["entity_type", "text", (value) => ["broker", "freight_forwarder"].indexOf(String(value))],
];

/** Those of them that the records have. */
export const packedColumnsOf = ([first]: readonly FeedRecord[]) =>
  PACKED_COLUMNS.filter(([name]) => first === undefined || name in first);

function bitsOf(value: Value): number {
  const words = Array.isArray(value) ? value : [];
  return words.reduce((bits: number, word) => bits | (1 << CARGO_WORDS.indexOf(word)), 0);
}

function daysOf(day: Value): number {
  return Date.parse(`${day}T00:00:00Z`) / 86_400_000;
}

/** A value in the column of a version's table. A list is kept as bits. */
export const cellOf = (name: string, value: Value): Value =>
  name === "cargo" && value ? bitsOf(value) : value;

export async function writePacked(
  client: pg.ClientBase,
  id: number,
  records: readonly FeedRecord[],
): Promise<void> {
  const columns = [
    ...packedColumnsOf(records).map(([name, , encode]) => wordColumn(records, name, encode)),
    packedColumn(records, "usdot", (record) => Number(record.dot_number)),
    packedColumn(records, "digest_high", (record) => Number(BigInt.asIntN(32, contentHash(record) >> 32n))),
    packedColumn(records, "digest_low", (record) => Number(BigInt.asIntN(32, contentHash(record)))),
  ];
  await client.query(
    `INSERT INTO feed_version_column
     SELECT $1, name, decode(codes, 'hex'), texts
     FROM jsonb_to_recordset($2) AS packed (name text, codes text, texts text[])`,
    [id, JSON.stringify(columns)],
  );
}

/** The column of a filter. An insurer is coded by its place in the version's own list. */
function wordColumn(records: readonly FeedRecord[], name: string, encodeWord: (value: Value) => number) {
  const texts =
    name === "insurer" ? [...new Set(records.map((record) => record[name]))].filter(Boolean) : null;
  const encode = texts ? (value: Value) => texts.indexOf(value) : encodeWord;
  const codeOf = ({ [name]: value = null }: FeedRecord) => (value === null ? -2_147_483_648 : encode(value));
  return { ...packedColumn(records, name, codeOf), texts };
}

function packedColumn(
  records: readonly FeedRecord[],
  name: string,
  codeOf: (record: FeedRecord) => number,
): { name: string; codes: string } {
  const codes = Buffer.alloc(4 * records.length);
  records.forEach((record, index) => {
    codes.writeInt32BE(codeOf(record), 4 * index);
  });
  return { name, codes: codes.toString("hex") };
}
