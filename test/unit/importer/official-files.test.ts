// The tables of official files, read on the real extracts. Their rows are known, and two columns that a table swapped
// would give other rows.
import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { OFFICIAL_FILES } from "../../../src/importer/official/official-files.ts";
import { CopyLines } from "../../../src/importer/read/copy-lines.ts";
import { columnName, firstRecords } from "../../../src/importer/read/csv-records.ts";
import { RecordScanner } from "../../../src/importer/read/record-scanner.ts";
import { type DatasetInput, findInputs } from "../../../src/importer/recognise/dataset-inputs.ts";
import {
  type OfficialFile,
  openRows,
  tableColumns,
  usedColumns,
  words,
} from "../../../src/importer/rows/official-file.ts";
import { beginReading } from "../../../src/importer/stage/stage-file.ts";
import { CARGO_COLUMN_NAMES } from "../../../src/registry/cargo.ts";
import type { Dataset } from "../../../src/registry/datasets.ts";

const FIXTURES = path.join(import.meta.dirname, "../../fixtures");
/** Of the extract with two thousand rows. */
const ROWS_READ = 60;

type Row = Readonly<Record<string, string>>;

/** The rows of an extract by column. */
function rowsOf(input: DatasetInput): Row[] {
  const { official, file } = input;
  if (input.kind === "json") {
    return input.part.rows.map((row) => {
      const fields = Object.entries(row).map(([field, value]) => {
        const name = columnName(field);
        return [official.aliases?.[name] ?? name, String(value ?? "")];
      });
      return Object.fromEntries(fields);
    });
  }
  const records = firstRecords(readFileSync(file.path, "utf8"), ROWS_READ).slice(input.hasHeader ? 1 : 0);
  return records.map((record) =>
    Object.fromEntries(input.columns.map((column, index) => [column, record[index] ?? ""])),
  );
}

/** Rows of the files that the extracts lack. */
const OTHER_ROWS: Partial<Record<Dataset, Row[]>> = {
  oos_order: [
    { DOT_NUMBER: "295017", OOS_DATE: "2026-09-26", OOS_REASON: "New Entrant", RESCIND_DATE: "2026-09-28" },
  ],
  motus_boc3: [{ DOCKET_NUMBER: "MC1", USDOT_NUMBER: "295017", CO_NAME: "AGENTS, INC.", STATE_CODE: "OK" }],
  legacy_boc3: [{ DOCKET_NUMBER: "MC1", DOT_NUMBER: "00295017", CO_NAME: "AGENTS, INC.", STATE_CODE: "OK" }],
};

/** Columns that the extracts leave blank or equal: of each there is a row in which no other one is filled. */
const ALIKE: Partial<Record<Dataset, readonly string[]>> = {
  census: ["CRGO_GENFREIGHT", "CELL_PHONE"],
  legacy_carrier: words(`
    COMMON_APP_PEND CONTRACT_APP_PEND BROKER_APP_PEND COMMON_REV_PEND CONTRACT_REV_PEND BROKER_REV_PEND PROPERTY_CHK
    PASSENGER_CHK HHG_CHK`),
  motus_carrier: words("CARGO_REQ BOND_REQ CARGO_FILE BOND_FILE"),
};

function rowsThatDiffer(dataset: Dataset, row: Row): Row[] {
  const columns = ALIKE[dataset] ?? [];
  const blank = Object.fromEntries(columns.map((column) => [column, ""]));
  return columns.map((column, index) => ({
    ...row,
    ...blank,
    ...(dataset === "census" ? { DOT_NUMBER: String(9_000_000 + index) } : {}),
    [column]: column === "CELL_PHONE" ? "5125550100" : "Y",
  }));
}

/** The names of the cells, and the lines for COPY that a file's table makes of rows, with two of its columns swapped. */
function linesOf(
  official: OfficialFile,
  rows: readonly Row[],
  [one, other]: readonly [string, string] = ["", ""],
): string {
  const columns = usedColumns(official);
  const reading = beginReading(official, columns, "2026-10-01", false);
  const swap = new Map([
    [one, other],
    [other, one],
  ]);
  const at = (column: string) => columns.indexOf(swap.get(column) ?? column);
  const scanner = new RecordScanner([...columns.keys()], (_fields, sizeBytes) => {
    lines.begin(sizeBytes);
    if (readRow(lines)) lines.end();
    else lines.drop();
  });
  const lines = new CopyLines(scanner, null, reading.counts);
  const readRow = openRows(official, { ...reading, at });
  const records = rows.map((row) =>
    columns.map((column) => `"${(row[column] ?? "").replaceAll('"', '""')}"`).join(","),
  );
  scanner.scan(Buffer.from(records.join("\n")), true);
  return `${tableColumns(official).join("\t")}\n${lines.take()}`;
}

const { inputs } = await findInputs(path.join(FIXTURES, "fmcsa"), false);

describe.each(OFFICIAL_FILES.map((official) => ({ official, dataset: official.dataset })))(
  "the table of $dataset",
  ({ official, dataset }) => {
    const extract = inputs.find((input) => input.official === official);
    const ofFile = extract ? rowsOf(extract) : (OTHER_ROWS[dataset] ?? []);
    const rows = [...ofFile, ...rowsThatDiffer(dataset, ofFile[0] ?? {})];
    const expected = linesOf(official, rows);

    it("names columns of the file's header", () => {
      const named = Object.values(official.fields).flatMap(({ columns }) => columns);
      expect(named.filter((column) => !official.header.includes(column))).toEqual([]);
    });

    it("gives the known rows", async () => {
      await expect(expected).toMatchFileSnapshot(path.join(FIXTURES, `staged-rows/${dataset}.tsv`));
    });

    it("would give other rows with any two of its columns swapped", () => {
      // The columns of cargo stand in the order of their bits in cargo.ts.
      const used = usedColumns(official).filter((column) => !CARGO_COLUMN_NAMES.slice(1).includes(column));
      const pairs = used.flatMap((one, index) => used.slice(index + 1).map((other) => [one, other] as const));
      const same = pairs.filter((pair) => expected === linesOf(official, rows, pair));
      expect(same).toEqual([]);
    });
  },
);
