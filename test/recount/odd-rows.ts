import { createHash } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { parse } from "csv-parse/sync";

type OddRow = Record<string, string>;

/** What may be odd about a row of a Motus file: the share of rows, the column, and what is written there. */
type Oddity = [share: number, column: string, write: (cell: string) => string];

const NO_DOCKET: Oddity = [0.1, "DOCKET_NUMBER", () => ""];
const NO_USDOT: Oddity = [0.05, "USDOT_NUMBER", () => ""];
const SHORT_TYPE: Oddity = [
  0.1,
  "OP_AUTH_TYPE",
  (type) => type.replace(/ \(Except.*/, "").replace(/^Broker .*/, "Broker"),
];
const OTHER_TYPE: Oddity = [
  0.1,
  "OP_AUTH_TYPE",
  (type) => (type.startsWith("Broker") ? "Broker of Household Goods" : type),
];
const UNKNOWN_CLASS: Oddity = [0.2, "OP_AUTH_TYPE", () => "COMMON"];
const NO_DAY: Oddity = [0.1, "EFFECTIVE_DATE", () => "25171201"];

const ODDITIES: Readonly<Record<string, readonly Oddity[]>> = {
  motus_carrier: [NO_DOCKET, SHORT_TYPE, OTHER_TYPE],
  motus_authhist: [NO_USDOT, SHORT_TYPE, OTHER_TYPE],
  motus_revokesuspend: [NO_USDOT, OTHER_TYPE, UNKNOWN_CLASS],
  motus_insur: [NO_DOCKET, NO_DAY],
  motus_inshist: [NO_DOCKET, NO_DAY],
};

/**
 * Writes odd rows into a day's Motus files: half of them instead of the row, half beside it. A row that is the same on several
 * days is as odd on each.
 */
export async function writeOddRows(dir: string): Promise<void> {
  for (const [dataset, oddities] of Object.entries(ODDITIES)) {
    const file = path.join(dir, `${dataset}.csv`);
    const rows = parse(await readFile(file), { columns: true, bom: true }) as OddRow[];
    const written = rows.flatMap((row) => withOddities(row, oddities));
    const lines = [Object.keys(rows[0] ?? {}), ...written.map((row) => Object.values(row))];
    await writeFile(file, lines.map((cells) => `${cells.map(quoted).join(",")}\n`).join(""));
  }
}

function withOddities(row: OddRow, oddities: readonly Oddity[]): OddRow[] {
  let own = row;
  const more: OddRow[] = [];
  const random = createHash("md5").update(JSON.stringify(row)).digest();
  for (const [index, [share, column, write]] of oddities.entries()) {
    if (random.readUInt16BE(2 * index) >= share * 2 ** 16) continue;
    const change = { [column]: write(row[column] ?? "") };
    if (index % 2 === (random[15] as number) % 2) own = { ...own, ...change };
    else more.push({ ...row, ...change });
  }
  return [own, ...more];
}

const quoted = (cell: string): string => `"${cell.replaceAll('"', '""')}"`;
