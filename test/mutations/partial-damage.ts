// Damage to a part of a file, below the share at which a file as a whole is odd.
import { type Mutation, onColumn, onTable, positionOf } from "./mutation.ts";
import { FILE_TITLES, type RegistryFile, type Table } from "./registry-file.ts";

const inColumn = (
  file: RegistryFile,
  column: string,
  what: string,
  change: (value: string, row: string[], index: number) => string,
): Mutation => ({
  name: `${FILE_TITLES[file]} ${column} ${what}`,
  files: [file],
  change: onColumn(column, change),
});

/** Changes the first rows whose value of a column passes. */
const inFew = (
  file: RegistryFile,
  column: string,
  what: string,
  most: number,
  change: (value: string, row: string[]) => string | null,
): Mutation => ({
  name: `${FILE_TITLES[file]} ${column} ${what}`,
  files: [file],
  change: (text, others, name) => {
    let left = most;
    return onColumn(column, (value, row) => {
      const now = left > 0 ? change(value, row) : null;
      if (now === null) return value;
      left -= 1;
      return now;
    })(text, others, name);
  },
});

const withRows = (file: RegistryFile, what: string, change: (table: Table) => string[][]): Mutation => ({
  name: `${FILE_TITLES[file]} ${what}`,
  files: [file],
  change: onTable((table) => ({ ...table, rows: change(table) })),
});

const isInsured = (value: string): boolean => Number(value) >= 750_000;

/** A stray comma: the cells behind the name move by one, and the last cell is lost. */
const shiftedRow = (row: string[], at: number): string[] =>
  [...row.slice(0, at), "SMITH", " SONS", ...row.slice(at + 1)].slice(0, row.length);

const shiftedRows = (file: RegistryFile, column: string, most: number): Mutation =>
  withRows(file, `with a stray comma in ${most} rows`, (table) => {
    const at = positionOf(table, column);
    return table.rows.map((row, index) => (index % 7 === 0 && index < 7 * most ? shiftedRow(row, at) : row));
  });

/** A name opens a quote and never closes it. */
const openQuotes: Mutation = {
  name: `${FILE_TITLES.census} with an unclosed quote before two names`,
  files: ["census"],
  change: (text) => {
    const lines = text.split("\n");
    const open = (line: string) => line.replace(/,([A-Z][A-Z &]+(?:LLC|INC))/, ',"$1');
    const candidates = lines.flatMap((line, index) => (open(line) !== line ? [index] : [])).slice(20, 30);
    const [first = 0] = candidates;
    const [second = first] = candidates.slice(8);
    return lines.map((line, index) => (index === first || index === second ? open(line) : line)).join("\n");
  },
};

export const PARTIAL: readonly Mutation[] = [
  inFew("carrier", "BIPD_FILE", "with separators in 10 rows", 10, (value) =>
    isInsured(value) ? Number(value).toLocaleString("en-US", { minimumFractionDigits: 2 }) : null,
  ),
  inFew("carrier", "BIPD_FILE", "unreadable in 4 rows", 4, (value) => (isInsured(value) ? "see file" : null)),
  inFew("carrier", "BIPD_FILE", "in thousands in 28 rows", 28, (value) =>
    isInsured(value) ? String(Number(value) / 1000) : null,
  ),
  inFew("carrier", "BIPD_FILE", "in thousands in 4 rows", 4, (value) =>
    isInsured(value) ? String(Number(value) / 1000) : null,
  ),
  withRows("carrier", "with a second row without amount of 4 carriers", (table) => {
    const [amount, status] = [positionOf(table, "BIPD_FILE"), positionOf(table, "OP_AUTH_STATUS")];
    const insured = table.rows.filter(
      (row) => isInsured(row[amount] ?? "") && /^active$/i.test(row[status] ?? ""),
    );
    return [...table.rows, ...insured.slice(0, 4).map((row) => row.with(amount, "0E-18"))];
  }),
  inFew("carrier", "BIPD_FILE", "times a thousand in 12 rows", 12, (value) =>
    isInsured(value) ? String(Number(value) * 1000) : null,
  ),
  inFew("carrier", "OP_AUTH_TYPE", "of passengers in 12 rows of property", 12, (value) =>
    /^Motor Carrier of Property/.test(value) ? "Motor Carrier of Passengers" : null,
  ),
  inFew("boc3", "CO_NAME", "of another agent in 12 rows", 12, (value) => `${value} OF NOWHERE`),
  inFew("census", "CRGO_HOUSEHOLD", "X in 12 rows", 12, (value) => (value === "" ? "X" : null)),
  withRows("insur", "with the docket of the first row in 40 others", (table) => {
    const at = positionOf(table, "DOCKET_NUMBER");
    const first = table.rows[0]?.[at] ?? "";
    return table.rows.map((row, index) => (index % 9 === 1 && index < 360 ? row.with(at, first) : row));
  }),
  inColumn("oosOrder", "RESCIND_DATE", "2000-01-01 where it was blank", (value) => value || "2000-01-01"),
  inColumn("oosOrder", "RESCIND_DATE", "of the day where it was blank", (value) => value || "2026-11-19"),
  inColumn("census", "SAFETY_RATING", "with S and U exchanged", (value) =>
    value === "S" ? "U" : value === "U" ? "S" : value,
  ),
  {
    name: `${FILE_TITLES.census} PHONE shifted by a row in the last tenth`,
    files: ["census"],
    change: onTable((table) => {
      const at = positionOf(table, "PHONE");
      const from = Math.floor(table.rows.length * 0.9);
      return {
        ...table,
        rows: table.rows.map((row, index) =>
          index < from ? row : row.with(at, table.rows[index - 1]?.[at] ?? ""),
        ),
      };
    }),
  },
  {
    ...inColumn("insur", "POLICY_NO", "with a prefix in 45% of the rows", (value, _row, index) =>
      index % 20 < 9 && value ? `GWC-${value}` : value,
    ),
  },
  inColumn("census", "POWER_UNITS", "with a decimal in one row in 60", (value, _row, index) =>
    index % 60 === 0 && value ? `${value}.0` : value,
  ),
  inColumn("census", "PHY_ZIP", "without leading zeros", (value) => value.replace(/^0+(?=\d)/, "")),
  inFew("census", "PHY_ZIP", "without leading zeros in 40 rows", 40, (value) =>
    value.startsWith("0") ? value.replace(/^0+/, "") : null,
  ),
  openQuotes,
  shiftedRows("census", "LEGAL_NAME", 10),
  shiftedRows("census", "LEGAL_NAME", 200),
  shiftedRows("carrier", "LEGAL_NAME", 200),
  withRows("census", "with a Mexican state of 6 carriers of the US", (table) => {
    const [state, country] = [positionOf(table, "PHY_STATE"), positionOf(table, "PHY_COUNTRY")];
    return table.rows.map((row, index) =>
      index % 50 === 0 && index < 300 && row[country] === "US" ? row.with(state, "SO") : row,
    );
  }),
  {
    name: `${FILE_TITLES.census} with blanks written NULL`,
    files: ["census"],
    change: onTable((table) => ({
      ...table,
      rows: table.rows.map((row) => row.map((value) => (value === "" ? "NULL" : value))),
    })),
  },
];
