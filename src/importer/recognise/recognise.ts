import { OFFICIAL_FILES } from "../official/official-files.ts";
import { columnName, firstRecords } from "../read/csv-records.ts";
import { fileHead } from "../read/file-bytes.ts";
import type { FolderFile } from "../read/folder.ts";
import { beginsAsJson, type JsonPart, jsonParts } from "../read/json-parts.ts";
import { Refusal } from "../read/refusal.ts";
import { textOf } from "../read/utf8-lines.ts";
import { type OfficialFile, requiredColumns } from "../rows/official-file.ts";
import { looksLikeRegistry, textFileOf } from "./headerless.ts";
import { officialFileOf, unusedTitle } from "./nearest-file.ts";

const HEAD_SIZE_BYTES = 64 * 1024;
const HEAD_RECORDS = 20;

/** The kind of a file, or of a part of a JSON file. */
export type Finding =
  | { kind: "csv"; label: string; official: OfficialFile; columns: readonly string[]; hasHeader: boolean }
  | { kind: "json"; label: string; official: OfficialFile; part: JsonPart }
  | { kind: "unused"; label: string; why: string; isUnknown?: boolean };

/**
 * Identifies a file by its content, never by its name. A daily difference has the header of the whole file, so
 * `isDifference` says which of the two the Motus files are. Refusal for a broken file.
 */
export async function recognise(file: FolderFile, isDifference: boolean): Promise<Finding[]> {
  const head = await fileHead(file, HEAD_SIZE_BYTES);
  if (head.subarray(0, 2).equals(ZIP_MARK) && (head[2] ?? BLANK) < BLANK) {
    throw new Refusal(`${file.name} is a zip archive; unpack it and import its files.`);
  }
  if (isUtf16(head)) throw new Refusal(`${file.name} is UTF-16; save it as UTF-8.`);
  const text = textOf(head);
  const start = text.trimStart();
  if (start === "") throw new Refusal(`${file.name} is empty; download it again.`);
  if (start.startsWith("<")) {
    throw new Refusal(
      `${file.name} is a web page, not a registry file; look at what it says and download it again.`,
    );
  }
  if (beginsAsJson(start)) return recogniseJson(file, isDifference);
  if (!text.includes("\n") && text.includes("\r"))
    throw new Refusal(
      `${file.name} has lines that end in CR alone; save it with LF or CRLF, or download it again.`,
    );
  return [recogniseCsv(file.name, text)];
}

const ZIP_MARK = Buffer.from("PK");
const BLANK = 32;

/** Detected by the byte order mark, or by registry columns with two bytes per letter. */
function isUtf16(head: Buffer): boolean {
  const mark = head.subarray(0, 2).toString("hex");
  if (mark === "fffe" || mark === "feff") return true;
  const whole = head.subarray(0, head.length & ~1);
  if (!whole.includes(0)) return false;
  const readings = [whole, Buffer.from(whole).swap16()].map((bytes) => bytes.toString("utf16le"));
  return readings.some((text) => looksLikeRegistry((firstRecords(text, 1)[0] ?? []).map(columnName)));
}

function recogniseCsv(label: string, text: string): Finding {
  const [first = [], ...others] = firstRecords(text, HEAD_RECORDS);
  const header = first.map(columnName);
  const unused = unusedTitle(header);
  const official = officialFileOf(header);
  if (official && !unused) {
    const columns = header.map(aliasOf(official));
    requireColumns(label, official, columns);
    return { kind: "csv", label, official, columns, hasHeader: true };
  }
  const withoutHeader = textFileOf([first, ...others]);
  const title = unused ?? withoutHeader?.title;
  const textFile = OFFICIAL_FILES.find(({ dataset }) => dataset === withoutHeader?.dataset);
  if (textFile && !unused) {
    return { kind: "csv", label, official: textFile, columns: textFile.header, hasHeader: false };
  }
  if (title) return { kind: "unused", label, why: `${title}, which is not read` };
  return unknown(label, looksLikeRegistry(header, [first, ...others]));
}

/** An unknown file that looks like the registry's may be a broken one: it is refused, not skipped. */
function unknown(label: string, isOfRegistry: boolean): Finding {
  if (!isOfRegistry) return { kind: "unused", label, why: "not a known registry file", isUnknown: true };
  throw new Refusal(
    `${label} holds registry rows under unknown columns; download it again or remove it from the folder.`,
  );
}

function requireColumns(label: string, official: OfficialFile, columns: readonly string[]): void {
  const missing = requiredColumns(official).filter((column) => !columns.includes(column));
  if (missing.length === 0) return;
  const what = `the column${missing.length > 1 ? "s" : ""} ${missing.join(", ")}`;
  throw new Refusal(`${label} (${official.title}) lacks ${what}; download it again.`);
}

async function recogniseJson(file: FolderFile, isDifference: boolean): Promise<Finding[]> {
  const parts = await jsonParts(file);
  return parts.map((part) => recognisePart(part, isDifference));
}

function recognisePart(part: JsonPart, isDifference: boolean): Finding {
  const { label, rows, portalId } = part;
  const byId = OFFICIAL_FILES.find(({ ids, differenceId }) =>
    [...ids, differenceId].some((id) => id === portalId),
  );
  if (byId?.differenceId && (byId.differenceId === portalId) !== isDifference) {
    return { kind: "unused", label, why: isDifference ? WHOLE_AMONG_DIFFERENCES : DIFFERENCE_AMONG_WHOLE };
  }
  const unused = byId ? undefined : unusedTitle(part.columns, portalId);
  const official = byId ?? officialFileOf(part.columns);
  if (unused) return { kind: "unused", label, why: `${unused}, which is not read` };
  if (!official) return unknown(label, looksLikeRegistry(part.columns));
  if (rows.length === 0 && !(isDifference && official.differenceId))
    throw new Refusal(`${label} (${official.title}) has no rows; download it again.`);
  // JSON omits empty fields, so a column counts as missing only when many rows lack it.
  if (rows.length >= ROWS_THAT_SHOW_EVERY_COLUMN)
    requireColumns(label, official, part.columns.map(aliasOf(official)));
  return { kind: "json", label, official, part };
}

const DIFFERENCE_AMONG_WHOLE = "a daily difference, which is read with --difference";
const WHOLE_AMONG_DIFFERENCES = "a whole file, which is not read with --difference";
const ROWS_THAT_SHOW_EVERY_COLUMN = 1000;

const aliasOf = (official: OfficialFile) => (column: string) => official.aliases?.[column] ?? column;
