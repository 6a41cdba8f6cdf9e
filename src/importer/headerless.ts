import type { Dataset } from "../carriers/datasets.ts";

// The legacy text files come without a header: the number of fields and the form of some tell which one it is.
const DOCKET = /^(MC|FF|MX)-?\d{1,8}$/;
const LEGACY_DATE = /^\d{2}\/\d{2}\/\d{4}$/;
const LEGACY_USDOT = /^\d{8}$/;

const TITLES: Readonly<Record<number, string>> = {
  6: "legacy Revocation",
  9: "legacy Insur or BOC3",
  11: "legacy ActPendInsur",
  15: "legacy Rejected",
  17: "legacy InsHist",
  43: "legacy Carrier",
};

/** Which legacy text file the first records are from; `dataset` only where it is one that is imported. */
export function textLayout(records: readonly string[][]): { title: string; dataset?: Dataset } | undefined {
  const width = records[0]?.length ?? 0;
  const title = TITLES[width];
  const rows = records.filter((record) => record.length === width);
  const dockets = rows.filter(([docket = ""]) => DOCKET.test(docket.trim()));
  // A row or two without a docket occur in every file.
  if (!title || dockets.length * 2 <= rows.length) return undefined;
  if (width === 43) return { title, dataset: "legacy_carrier" };
  if (width === 9 && isAuthhist(rows)) return { title: "legacy AuthHist", dataset: "legacy_authhist" };
  // A policy's file has no USDOT number in second place, all others have it padded.
  const isLegacy =
    width === 9 || rows.every((row) => LEGACY_USDOT.test(row[1] ?? "") || row[1]?.trim() === "");
  return isLegacy ? { title } : undefined;
}

// Field 5 is the date of the action there, a policy number in Insur and a city in BOC3.
function isAuthhist(rows: readonly string[][]): boolean {
  const dates = rows.map((row) => row[5]?.trim() ?? "");
  return (
    dates.some((date) => LEGACY_DATE.test(date)) &&
    dates.every((date) => date === "" || LEGACY_DATE.test(date))
  );
}

const REGISTRY_COLUMNS = new Set(["DOCKET_NUMBER", "DOT_NUMBER", "USDOT_NUMBER"]);

/** Whether the columns or the records are of the registry: its numbers' names, dockets, or the census' width. */
export function looksLikeRegistry(columns: readonly string[], records: readonly string[][] = []): boolean {
  if (columns.some((column) => REGISTRY_COLUMNS.has(column))) return true;
  return records.some((record) => record.length >= 100 || record.some((field) => DOCKET.test(field.trim())));
}
