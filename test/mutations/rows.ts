// Mutations of rows: missing, repeated or empty rows, and rows of another day or another registry.
import { type Mutation, onColumn, onTable, positionOf } from "./mutation.ts";
import { FILE_TITLES, REGISTRY_FILES, type RegistryFile, type Table } from "./registry-file.ts";

const FILES = Object.keys(REGISTRY_FILES) as RegistryFile[];
const LIVE: RegistryFile[] = ["census", "carrier", "authHist", "revokeSuspend", "insur", "insHist"];

/** Removes every `nth` distinct row for which `isMeant` is true, and all repeats of removed rows. */
function thinned(table: Table, isMeant: (row: string[]) => boolean, nth = 14): Table {
  const meant = new Set(table.rows.filter(isMeant).map((row) => row.join("\u0000")));
  const removed = new Set([...meant].filter((_, index) => index % nth === 0));
  return { ...table, rows: table.rows.filter((row) => !removed.has(row.join("\u0000"))) };
}

const CLASSES: [name: string, pattern: RegExp][] = [
  ["property carriers", /^Motor Carrier of Property/],
  ["household goods carriers", /^Motor Carrier of Household/],
  ["brokers", /^Broker/],
  ["freight forwarders", /^Freight Forwarder/],
];

const ofClass = (
  file: RegistryFile,
  [name, pattern]: [string, RegExp],
  [share, nth]: [string, number],
): Mutation => ({
  name: `${FILE_TITLES[file]} without ${share} of ${name}`,
  files: [file],
  change: onTable((table) => {
    const at = positionOf(table, "OP_AUTH_TYPE");
    return thinned(table, (row) => pattern.test(row[at] ?? ""), nth);
  }),
});

const AMOUNTS: [what: string, column: string, write: (value: string) => string][] = [
  ["zero", "MIN_COV_AMOUNT", () => "0"],
  ["zero", "BIPD_FILE", () => "0E-18"],
  ["in thousands", "MIN_COV_AMOUNT", (value) => String(Number(value) / 1000)],
  ["in thousands", "BIPD_FILE", (value) => String(Number(value) / 1000)],
  ["with a dollar sign", "BIPD_FILE", (value) => `$${Number(value).toLocaleString("en-US")}`],
  ["with a dollar sign", "MIN_COV_AMOUNT", (value) => `$${Number(value).toLocaleString("en-US")}`],
];

const cut = (text: string, share: number): string => text.slice(0, Math.floor(text.length * share));
const lastLineEnd = (text: string): string => text.slice(0, text.lastIndexOf("\n") + 1);

export const ROWS: readonly Mutation[] = [
  ...FILES.map((file) => ({
    name: `${FILE_TITLES[file]} without 7% of its rows`,
    files: [file],
    removesReplacement: file === "insur",
    change: onTable((table) => thinned(table, () => true)),
  })),
  ...(["carrier", "authHist", "revokeSuspend"] as const).flatMap((file) =>
    CLASSES.flatMap((ofIt) => [ofClass(file, ofIt, ["7%", 14]), ofClass(file, ofIt, ["any", 1])]),
  ),
  ...LIVE.map((file) => ({
    name: `${FILE_TITLES[file]} of the first day`,
    files: [file],
    removesReplacement: file === "insur",
    change: (_text: string, { firstDay }: { firstDay: string }) => firstDay,
  })),
  {
    name: "every file of the first day",
    files: FILES,
    change: (_text, { firstDay }) => firstDay,
  },
  ...FILES.map((file) => ({
    name: `${FILE_TITLES[file]} of another registry`,
    files: [file],
    change: (_text: string, { otherRegistry }: { otherRegistry: string }) => otherRegistry,
  })),
  ...FILES.flatMap((file) => [
    {
      name: `${FILE_TITLES[file]} cut off after 60%, in a row`,
      files: [file],
      change: (text: string) => cut(text, 0.6),
    },
    {
      name: `${FILE_TITLES[file]} cut off after 96%, behind a row`,
      files: [file],
      removesReplacement: file === "insur",
      change: (text: string) => lastLineEnd(cut(text, 0.96)),
    },
    {
      name: `${FILE_TITLES[file]} without any row`,
      files: [file],
      change: onTable((table) => ({ ...table, rows: [] })),
    },
  ]),
  ...LIVE.map((file) => ({
    name: `${FILE_TITLES[file]} with every row twice`,
    files: [file],
    isHarmless: file !== "census",
    change: onTable((table) => ({ ...table, rows: table.rows.flatMap((row) => [row, row]) })),
  })),
  ...AMOUNTS.map(([what, column, write]) => ({
    name: `Motus Carrier ${column} ${what}`,
    files: ["carrier"] as const,
    column,
    removesReplacement: column === "BIPD_FILE" && what === "zero",
    change: onColumn(column, write),
  })),
  {
    name: "Motus Carrier with everything inactive",
    files: ["carrier"],
    change: onColumn("OP_AUTH_STATUS", () => "Inactive"),
  },
  {
    name: "Motus Carrier with everything active",
    files: ["carrier"],
    change: onColumn("OP_AUTH_STATUS", () => "Active"),
  },
  {
    name: "Motus AuthHist with everything active",
    files: ["authHist"],
    change: onColumn("OP_AUTH_STATUS", () => "Active"),
  },
  {
    name: "Company Census File with everyone active",
    files: ["census"],
    change: onColumn("STATUS_CODE", () => "A"),
  },
  {
    name: "Company Census File POWER_UNITS with a decimal point",
    files: ["census"],
    change: onColumn("POWER_UNITS", (value) => (value === "" ? value : `${value}.0`)),
  },
  {
    name: "Company Census File PHY_STATE by its number",
    files: ["census"],
    change: onColumn("PHY_STATE", (value) => String(value.charCodeAt(0))),
  },
];
