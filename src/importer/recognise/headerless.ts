import type { Dataset } from "../../registry/datasets.ts";
import { legacyBoc3 } from "../official/agents.ts";
import { legacyAuthhist } from "../official/authorities.ts";
import { OFFICIAL_FILES } from "../official/official-files.ts";
import { legacyInsur } from "../official/policies.ts";
import { UNUSED_FILES } from "../official/unused-files.ts";

// The legacy text files have no header. The number of fields and the form of some of them identify the file.
const DOCKET = /^(MC|FF|MX)-?\d{1,8}$/;
const LEGACY_DATE = /^\d{2}\/\d{2}\/\d{4}$/;
const LEGACY_USDOT = /^\d{8}$/;
const INSURANCE_TYPE = /^[1-4]$/;

/** A known text file; `dataset` only when it is imported. */
interface TextFile {
  title: string;
  dataset?: Dataset;
}

const TEXT_FILES = [...OFFICIAL_FILES, ...UNUSED_FILES].filter(({ title }) => title.startsWith("legacy "));

/** The legacy text file to which these first records belong. */
export function textFileOf(records: readonly string[][]): TextFile | undefined {
  const width = records[0]?.length ?? 0;
  const rows = records.filter((record) => record.length === width);
  const dockets = rows.filter(([docket = ""]) => DOCKET.test(docket.trim()));
  // A row or two without a docket occur in every file.
  if (dockets.length * 2 <= rows.length) return undefined;
  if (width === 9) return ofNineColumns(rows);
  // Motus files have no text form, and write USDOT numbers without leading zeros.
  if (width !== 43 && !isIn(rows, 1, LEGACY_USDOT)) return undefined;
  return TEXT_FILES.find(({ header }) => header.length === width);
}

function ofNineColumns(rows: readonly string[][]): TextFile {
  // AuthHist has dates in field 5, Insur has insurance types in field 1, BOC3 has neither.
  if (isIn(rows, 5, LEGACY_DATE)) return legacyAuthhist;
  return isIn(rows, 1, INSURANCE_TYPE) ? legacyInsur : legacyBoc3;
}

/** Whether the field is filled in some rows, and every filled value has the form. */
function isIn(rows: readonly string[][], index: number, form: RegExp): boolean {
  const values = rows.map((row) => row[index]?.trim() ?? "").filter((value) => value !== "");
  return values.length > 0 && values.every((value) => form.test(value));
}

const REGISTRY_COLUMNS = new Set(["DOCKET_NUMBER", "DOT_NUMBER", "USDOT_NUMBER"]);

/** Whether columns or records seem to be the registry's: a column of numbers, dockets, or the census's width. */
export function looksLikeRegistry(columns: readonly string[], records: readonly string[][] = []): boolean {
  if (columns.some((column) => REGISTRY_COLUMNS.has(column))) return true;
  return records.some((record) => record.length >= 100 || record.some((field) => DOCKET.test(field.trim())));
}
