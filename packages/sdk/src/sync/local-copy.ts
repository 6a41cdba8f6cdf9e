// The files of a copy. <feed>.ndjson is the copy: a line about it, then a record a line. It only changes as a whole.
// <feed>.changes are the pages of changes that were read and are not in it yet, so that a crash costs no page twice.
import { createReadStream } from "node:fs";
import { type FileHandle, mkdir, open, readFile, rename, rm } from "node:fs/promises";
import path from "node:path";
import { createInterface } from "node:readline";
import type { PlainRecord } from "../checkpoint.ts";
import type { FeedChangesOut } from "../generated/operations/types.gen.ts";

/** What a copy is of. */
export interface CopyFacts {
  feed: string;
  /** The filters that its records match. */
  filters: Readonly<Record<string, unknown>>;
  /** The feed's version that it equals. */
  version: number;
  /** The number of removals of its checkpoint. Absent: unknown. */
  removals?: number | undefined;
  /** The day that this version is current to. */
  asOf: string | null;
}

/** A copy in memory. */
export interface Copy extends CopyFacts {
  records: Map<string, PlainRecord>;
}

/** One page of changes, as the API sent it. */
export type ChangesPage = Pick<FeedChangesOut, "data" | "next_cursor" | "as_of" | "meta">;

export const copyFile = (folder: string, feed: string): string => path.join(folder, `${feed}.ndjson`);
const changesFile = (folder: string, feed: string): string => path.join(folder, `${feed}.changes`);

/** The copy of the feed in the folder; null if there is none. Throws for a file that is damaged, or no copy. */
export async function readCopy(folder: string, feed: string): Promise<Copy | null> {
  const file = copyFile(folder, feed);
  const lines = createInterface({ input: createReadStream(file), crlfDelay: Infinity });
  let facts: CopyFacts | null = null;
  const records = new Map<string, PlainRecord>();
  let number = 0;
  try {
    for await (const line of lines) {
      number += 1;
      const value = JSON.parse(line) as unknown;
      if (facts === null) facts = factsFrom(value);
      else records.set(String((value as PlainRecord).record_id), value as PlainRecord);
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    if (!(error instanceof SyntaxError || error instanceof TypeError)) throw error;
    const sentence = `Line ${number} of ${file} is not as syncFeed writes it. Move the file away: the next run reads the feed anew.`;
    throw new Error(sentence, { cause: error });
  }
  return facts && { ...facts, records };
}

function factsFrom(value: unknown): CopyFacts {
  const { feed, version, filters } = value as Partial<CopyFacts>;
  if (typeof feed !== "string" || typeof version !== "number" || typeof filters !== "object") {
    throw new TypeError("This line does not say what the copy is of.");
  }
  return value as CopyFacts;
}

/** Puts the copy in the place of the one before, in one step, and forgets the pages that led to it. */
export async function writeCopy(folder: string, { records, ...facts }: Copy): Promise<void> {
  await mkdir(folder, { recursive: true });
  const file = copyFile(folder, facts.feed);
  const unfinished = `${file}.part`;
  const output = await open(unfinished, "w");
  try {
    await output.writeFile(linesOf(facts, records));
    await output.sync();
  } finally {
    await output.close();
  }
  await rename(unfinished, file);
  await forgetChanges(folder, facts.feed);
}

function* linesOf(facts: CopyFacts, records: ReadonlyMap<string, PlainRecord>): Generator<string> {
  yield lineOf(facts);
  for (const record of records.values()) yield lineOf(record);
}

/** Node's reader of lines ends one at these two characters too, which JSON may have as they are. */
const lineOf = (value: unknown): string =>
  `${JSON.stringify(value).replaceAll("\u2028", "\\u2028").replaceAll("\u2029", "\\u2029")}\n`;

/** Pages of changes that were read from a version on. */
export interface ReadChanges {
  pages: ChangesPage[];
  /** Adds a page. It is on the disk when this returns. */
  add(page: ChangesPage): Promise<void>;
  close(): Promise<void>;
}

/** The pages that were read from the copy's version on, those of an earlier run included. */
export async function openChanges(
  folder: string,
  { feed, version, removals, filters }: CopyFacts,
): Promise<ReadChanges> {
  const file = changesFile(folder, feed);
  const head = `${JSON.stringify({ since: version, removals, filters })}\n`;
  const text = await readFile(file, "utf8").catch(() => "");
  // A crash may have cut the last line.
  const kept = text.startsWith(head) ? text.slice(0, text.lastIndexOf("\n") + 1) : head;
  const output: FileHandle = await open(file, "w");
  await output.writeFile(kept);
  const lines = kept.slice(head.length).split("\n").filter(Boolean);
  const pages = lines.map((line) => JSON.parse(line) as ChangesPage);
  return {
    pages,
    add: async (page) => {
      await output.appendFile(`${JSON.stringify(page)}\n`);
      await output.sync();
      pages.push(page);
    },
    close: () => output.close(),
  };
}

/** Forgets the pages that were read. */
export const forgetChanges = (folder: string, feed: string): Promise<void> =>
  rm(changesFile(folder, feed), { force: true });
