// Mutations of date columns: other dates, and dates in another form.
import { type Mutation, onColumn } from "./mutation.ts";
import { FILE_TITLES, type RegistryFile } from "./registry-file.ts";

const DAY_COLUMNS: [RegistryFile, column: string][] = [
  ["authHist", "STATUS_CHANGE_DATE"],
  ["revokeSuspend", "ORDER1_SERVE_DATE"],
  ["revokeSuspend", "ORDER1_EFFECTIVE_DATE"],
  ["insur", "EFFECTIVE_DATE"],
  ["insur", "TRANS_DATE"],
  ["insHist", "EFFECTIVE_DATE"],
  ["insHist", "CANCL_EFFECTIVE_DATE"],
  ["oosOrder", "OOS_DATE"],
  ["oosOrder", "RESCIND_DATE"],
  ["census", "MCS150_DATE"],
  ["census", "ADD_DATE"],
  ["legacyAuthHist", "ORIG_SERVED_DATE"],
  ["legacyAuthHist", "DISP_SERVED_DATE"],
];

const MONTHS = "JAN FEB MAR APR MAY JUN JUL AUG SEP OCT NOV DEC".split(" ");

const WAYS: [name: string, write: (year: string, month: string, day: string) => string][] = [
  ["YYYY-MM-DD", (year, month, day) => `${year}-${month}-${day}`],
  ["YYYY-MM-DDTHH:MM:SS", (year, month, day) => `${year}-${month}-${day}T00:00:00.000`],
  ["YYYYMMDD", (year, month, day) => year + month + day],
  ["MM/DD/YYYY", (year, month, day) => `${month}/${day}/${year}`],
  // Days up to the twelfth can be read in the American order, as other dates.
  ["DD/MM/YYYY", (year, month, day) => `${day}/${month}/${year}`],
  ["DD-MON-YY", (year, month, day) => `${day}-${MONTHS[Number(month) - 1]}-${year.slice(2)}`],
  [
    "days since 1899-12-30",
    (year, month, day) => String(Date.parse(`${year}-${month}-${day}`) / 86_400_000 + 25_569),
  ],
];

/** Passes year, month and day of a value to `write`, and keeps a time after them. */
function rewritten(value: string, write: (year: string, month: string, day: string) => string): string {
  const plain = /^(\d{4})(\d\d)(\d\d)(?: .*)?$/.exec(value);
  const slashed = /^(\d\d)\/(\d\d)\/(\d{4})$/.exec(value);
  if (plain) return write(plain[1] as string, plain[2] as string, plain[3] as string);
  if (slashed) return write(slashed[3] as string, slashed[1] as string, slashed[2] as string);
  return value;
}

function moved(value: string, days: number): string {
  const isSlashed = value.includes("/");
  return rewritten(value, (year, month, day) => {
    const ms = Date.parse(`${year}-${month}-${day}`) + days * 86_400_000;
    if (!Number.isFinite(ms) || Number(year) < 1000) return value;
    const [y = "", m = "", d = ""] = new Date(ms).toISOString().slice(0, 10).split("-");
    return isSlashed ? `${m}/${d}/${y}` : y + m + d;
  });
}

export const MOVED_DAYS: readonly Mutation[] = DAY_COLUMNS.flatMap(([file, column]) =>
  [-40, -1, 1, 7].map((days) => ({
    name: `${FILE_TITLES[file]} ${column} moved by ${days > 0 ? "+" : ""}${days} days`,
    files: [file],
    column,
    change: onColumn(column, (value) => moved(value, days)),
  })),
);

export const REWRITTEN_DAYS: readonly Mutation[] = DAY_COLUMNS.flatMap(([file, column]) =>
  WAYS.filter(([way]) => way !== (file === "legacyAuthHist" ? "MM/DD/YYYY" : "YYYYMMDD")).map(
    ([way, write]) => ({
      name: `${FILE_TITLES[file]} ${column} as ${way}`,
      files: [file],
      column,
      change: onColumn(column, (value) => rewritten(value, write)),
    }),
  ),
);
