import type { Dataset } from "../../registry/datasets.ts";

// The legacy text files come without a header: the number of fields and the form of some tell which one it is.
const DOCKET = /^(MC|FF|MX)-?\d{1,8}$/;
const LEGACY_DATE = /^\d{2}\/\d{2}\/\d{4}$/;
const LEGACY_USDOT = /^\d{8}$/;
const INSURANCE_TYPE = /^[1-4]$/;

/** A text file that is known; `dataset` only where it is one that is imported. */
interface TextFile {
  title: string;
  dataset?: Dataset;
}

const BY_WIDTH: Readonly<Record<number, TextFile>> = {
  6: { title: "legacy Revocation", dataset: "legacy_revocation" },
  11: { title: "legacy ActPendInsur", dataset: "legacy_actpendinsur" },
  15: { title: "legacy Rejected" },
  17: { title: "legacy InsHist", dataset: "legacy_inshist" },
  43: { title: "legacy Carrier", dataset: "legacy_carrier" },
};

/** Which legacy text file the first records are from. */
export function textLayout(records: readonly string[][]): TextFile | undefined {
  const width = records[0]?.length ?? 0;
  const rows = records.filter((record) => record.length === width);
  const dockets = rows.filter(([docket = ""]) => DOCKET.test(docket.trim()));
  // A row or two without a docket occur in every file.
  if (dockets.length * 2 <= rows.length) return undefined;
  if (width === 9) return ofNineColumns(rows);
  // Motus files, which have no text form, write USDOT numbers without the zeros before them.
  return width === 43 || isIn(rows, 1, LEGACY_USDOT) ? BY_WIDTH[width] : undefined;
}

function ofNineColumns(rows: readonly string[][]): TextFile {
  // Each has its dates elsewhere; BOC3 has none.
  if (isIn(rows, 5, LEGACY_DATE)) return { title: "legacy AuthHist", dataset: "legacy_authhist" };
  if (isIn(rows, 1, INSURANCE_TYPE)) return { title: "legacy Insur", dataset: "legacy_insur" };
  return { title: "legacy BOC3" };
}

/** Whether the rows have nothing but such values, or none, in a field, and not all of them none. */
function isIn(rows: readonly string[][], place: number, form: RegExp): boolean {
  const values = rows.map((row) => row[place]?.trim() ?? "").filter((value) => value !== "");
  return values.length > 0 && values.every((value) => form.test(value));
}

const REGISTRY_COLUMNS = new Set(["DOCKET_NUMBER", "DOT_NUMBER", "USDOT_NUMBER"]);

/** Whether the columns or the records are of the registry: its numbers' names, dockets, or the census' width. */
export function looksLikeRegistry(columns: readonly string[], records: readonly string[][] = []): boolean {
  if (columns.some((column) => REGISTRY_COLUMNS.has(column))) return true;
  return records.some((record) => record.length >= 100 || record.some((field) => DOCKET.test(field.trim())));
}
