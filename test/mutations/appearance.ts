// The same facts in another form, as a new export program of the registry might write them.
import { bytesOf, type Mutation, onColumn, onTable } from "./mutation.ts";
import { FILE_TITLES, REGISTRY_FILES, type RegistryFile } from "./registry-file.ts";

const WORDED: [RegistryFile, column: string][] = [
  ["authHist", "REASON"],
  ["authHist", "OP_AUTH_TYPE"],
  ["authHist", "OP_AUTH_STATUS"],
  ["carrier", "OP_AUTH_TYPE"],
  ["carrier", "OP_AUTH_STATUS"],
  ["revokeSuspend", "OP_AUTH_TYPE"],
  ["revokeSuspend", "ORDER1_TYPE_DESC"],
  ["insHist", "FILING_STATUS_REASON"],
];

const DRESSES: [what: string, change: (value: string) => string][] = [
  ["in capitals", (value) => value.toUpperCase()],
  ["in small letters", (value) => value.toLowerCase()],
  ["with doubled blanks", (value) => value.replaceAll(" ", "  ")],
];

const cosmetic = WORDED.flatMap(([file, column]) =>
  DRESSES.map(([what, change]) => ({
    name: `${FILE_TITLES[file]} ${column} ${what}`,
    files: [file],
    column,
    change: onColumn(column, change),
  })),
);

const FILES = Object.keys(REGISTRY_FILES) as RegistryFile[];

const everyValue = (change: (value: string) => string): Mutation["change"] =>
  onTable((table) => ({ ...table, rows: table.rows.map((row) => row.map(change)) }));

/** Mutations that change only the form. */
const harmless: Mutation[] = [
  ...FILES.map((file) => ({
    name: `${FILE_TITLES[file]} with CRLF at the ends of its lines`,
    files: [file],
    change: (text: string) => text.replaceAll("\n", "\r\n"),
  })),
  {
    name: "Motus AuthHist with blanks behind each value",
    files: ["authHist"],
    change: everyValue((value) => `${value}  `),
  },
  {
    name: "Motus dockets with a hyphen and leading zeros",
    files: ["carrier", "authHist", "insur", "insHist"],
    change: onColumn("DOCKET_NUMBER", (value) => value.replace(/^([A-Z]{2})-?0*/, "$1-00")),
  },
  {
    name: "Motus dockets with a blank and in small letters",
    files: ["carrier", "authHist", "revokeSuspend"],
    change: onColumn("DOCKET_NUMBER", (value) => value.toLowerCase().replace(/^([a-z]{2})-?/, "$1 ")),
  },
  {
    name: "Motus USDOT numbers padded with zeros",
    files: ["carrier", "authHist", "revokeSuspend", "insur", "insHist"],
    change: onColumn("USDOT_NUMBER", (value) => (value === "" ? value : value.padStart(8, "0"))),
  },
].map((mutation) => ({ ...mutation, isHarmless: true }) as Mutation);

export const APPEARANCE: readonly Mutation[] = [
  ...cosmetic,
  ...(["authHist", "carrier", "revokeSuspend"] as const).map((file) => ({
    name: `${FILE_TITLES[file]} OP_AUTH_TYPE without "(Except Household Goods)"`,
    files: [file],
    column: "OP_AUTH_TYPE",
    change: onColumn("OP_AUTH_TYPE", (value) => value.replace(" (Except Household Goods)", "")),
  })),
  ...["\u2013", "\u2014", ":", "/"].map((mark) => ({
    name: `Motus AuthHist REASON with "${mark}" for a hyphen`,
    files: ["authHist"] as const,
    column: "REASON",
    change: onColumn("REASON", (value) => value.replaceAll("-", bytesOf(mark))),
  })),
  {
    name: "Motus AuthHist REASON with non-breaking blanks",
    files: ["authHist"],
    column: "REASON",
    change: onColumn("REASON", (value) => value.replaceAll(" ", bytesOf("\u00a0"))),
  },
  {
    name: "Motus AuthHist REASON with direction marks",
    files: ["authHist"],
    column: "REASON",
    change: onColumn("REASON", (value) => bytesOf("\u202a") + value + bytesOf("\u202c")),
  },
  {
    name: "Motus AuthHist REASON with a full stop behind it",
    files: ["authHist"],
    column: "REASON",
    change: onColumn("REASON", (value) => `${value}.`),
  },
  ...FILES.map((file) => ({
    name: `${FILE_TITLES[file]} in capitals`,
    files: [file],
    change: everyValue((value) => value.toUpperCase()),
  })),
  {
    name: "Motus dockets without their letters",
    files: ["carrier", "authHist", "revokeSuspend", "insur", "insHist"],
    column: "DOCKET_NUMBER",
    change: onColumn("DOCKET_NUMBER", (value) => value.replace(/^[A-Z]{2}-?/, "")),
  },
  ...harmless,
];
