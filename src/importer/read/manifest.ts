// The list of a folder's files that `registry download` writes and an import reads.
import { readFile, rename, writeFile } from "node:fs/promises";
import path from "node:path";
import { Refusal } from "./refusal.ts";

export const MANIFEST_NAME = "manifest.json";

/** What was known of a file when it was downloaded. */
export interface ManifestEntry {
  file: string;
  url: string;
  sizeBytes: number;
  /** Of the bytes on disk, in hex. */
  sha256: string;
  /** The portal's own time of the last change, ISO 8601; null when it does not say. */
  changedAt: string | null;
  fetchedAt: string;
}

/** The entries of a folder's manifest; none when it has no manifest. Refusal for a manifest that cannot be read. */
export async function readManifest(dir: string): Promise<ManifestEntry[]> {
  const text = await readFile(path.join(dir, MANIFEST_NAME), "utf8").catch(({ code }) =>
    code === "ENOENT" ? null : "",
  );
  if (text === null) return [];
  const entries = entriesOf(text);
  if (entries?.every(isEntry)) return entries;
  throw new Refusal(
    `${MANIFEST_NAME} cannot be read; remove it, or run \`tdf registry download\` again after that.`,
  );
}

function entriesOf(text: string): unknown[] | null {
  try {
    const { files } = JSON.parse(text) as { files?: unknown };
    return Array.isArray(files) ? files : null;
  } catch {
    return null;
  }
}

function isEntry(value: unknown): value is ManifestEntry {
  const { file, url, sizeBytes, sha256, changedAt, fetchedAt } = (value ?? {}) as Record<string, unknown>;
  return (
    typeof file === "string" &&
    typeof url === "string" &&
    Number.isSafeInteger(sizeBytes) &&
    typeof sha256 === "string" &&
    (changedAt === null || isTime(changedAt)) &&
    isTime(fetchedAt)
  );
}

const isTime = (value: unknown): boolean => typeof value === "string" && !Number.isNaN(Date.parse(value));

/** Replaces the entry of a file. The manifest is never half written. */
export async function writeManifestEntry(dir: string, entry: ManifestEntry): Promise<void> {
  // A manifest that cannot be read says nothing about the other files.
  const others = (await readManifest(dir).catch(() => [])).filter(({ file }) => file !== entry.file);
  const files = [...others, entry].sort((one, other) => one.file.localeCompare(other.file));
  const part = path.join(dir, `.${MANIFEST_NAME}.part`);
  await writeFile(part, `${JSON.stringify({ files }, null, 2)}\n`);
  await rename(part, path.join(dir, MANIFEST_NAME));
}

/** The last day, YYYY-MM-DD in UTC, whose changes the file can have. */
export const latestDayOf = ({ changedAt, fetchedAt }: ManifestEntry): string => {
  const times = [changedAt ?? fetchedAt, fetchedAt].map((time) => new Date(time).toISOString());
  return (times.sort()[0] as string).slice(0, 10);
};
