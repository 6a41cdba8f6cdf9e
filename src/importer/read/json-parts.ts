import { cleanText } from "../../registry/registry-text.ts";
import { columnName } from "./csv-records.ts";
import { fileBytes } from "./file-bytes.ts";
import type { FolderFile } from "./folder.ts";
import { Refusal } from "./refusal.ts";
import { textOf } from "./utf8-lines.ts";

/** JSON is read into memory as a whole. Larger data has to be downloaded as CSV. */
const LARGEST_JSON_BYTES = 64 * 1024 * 1024;

const BEGINNING = /^(\{\s*["}]|\[\s*[{\]])/;

/** Whether a text begins like JSON rows. Markdown may begin with a bracket too. */
export const beginsAsJson = (text: string): boolean => BEGINNING.test(text);

const PORTAL_ID = /[a-z0-9]{4}-[a-z0-9]{4}$/;

/** Keys are shown in messages, so longer ones are cut; the portal's keys are short. */
const LONGEST_KEY = 80;

type JsonRow = Readonly<Record<string, unknown>>;

/** Rows of one dataset from the portal's API. */
export interface JsonPart {
  label: string;
  rows: readonly JsonRow[];
  /** The portal's id at the end of the part's key; null if the file is one array. */
  portalId: string | null;
  /** The names of all fields in the rows. */
  columns: string[];
}

/** The arrays of rows in a JSON file; one without rows if it has none. Refusal for invalid or too large JSON. */
export async function jsonParts(file: FolderFile): Promise<JsonPart[]> {
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  for await (const chunk of fileBytes(file)) {
    sizeBytes += chunk.length;
    if (sizeBytes > LARGEST_JSON_BYTES) {
      throw new Refusal(
        `${file.name} is JSON of more than ${LARGEST_JSON_BYTES >> 20} MB; download it as CSV instead.`,
      );
    }
    chunks.push(chunk);
  }
  const content = parsed(file.name, textOf(Buffer.concat(chunks)));
  if (Array.isArray(content)) return [partOf(file.name, content, null)];
  const arrays = Object.entries(content as object).filter(([, rows]) => Array.isArray(rows));
  if (arrays.length === 0) return [partOf(file.name, [], null)];
  return arrays.map(([key, rows]) =>
    partOf(
      `${file.name} (${(cleanText(key) ?? "").slice(0, LONGEST_KEY)})`,
      rows,
      PORTAL_ID.exec(key)?.[0] ?? null,
    ),
  );
}

function parsed(file: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Refusal(`${file} is cut off or no JSON; download it again.`);
  }
}

function partOf(label: string, content: unknown[], portalId: string | null): JsonPart {
  const rows = content.every(isRow) ? content : [];
  const columns = new Set(rows.flatMap((row) => Object.keys(row)));
  return { label, rows, portalId, columns: [...columns].map(columnName) };
}

const isRow = (value: unknown): value is JsonRow =>
  typeof value === "object" && value !== null && !Array.isArray(value);
