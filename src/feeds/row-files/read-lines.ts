// The rows of a version by position: from its file, and from the database while there is none.
import { LRUCache } from "lru-cache";
import type { Context } from "../../platform/context.ts";
import { perDatabase } from "../../platform/database/per-database.ts";
import { dynamic } from "../../platform/database/statement.ts";
import { giveBack } from "../../platform/lent-bytes.ts";
import { countOf } from "../../platform/plural.ts";
import { type Positions, type Room, RowReader } from "../../platform/row-reader.ts";
import {
  type FeedVersion,
  fromVersion,
  keyOf,
  type PublishedVersion,
  readRows,
  versionTable,
} from "../versions/feed-version.ts";
import { completeRecord } from "../versions/version-columns.ts";
import { openRowFile } from "./row-file.ts";

/** The file of a version's rows. */
interface Opening {
  reader: RowReader | null;
  /** Fulfilled when the reader is there, or could not be opened. */
  done: Promise<void>;
  triedAtMs: number;
}

/** More than the versions that can be read at a time. Each keeps a file open, and 4 bytes a row. */
const MOST_FILES = 32;
/** A file that could not be made or read is tried again after so long. */
const RETRY_MS = 60_000;

const openingsOf = perDatabase((db) => {
  const closing = new Set<Promise<void>>();
  const openings = new LRUCache<string, Opening>({
    max: MOST_FILES,
    dispose: (opening) => {
      const closed: Promise<void> = opening.done
        .then(() => opening.reader?.close())
        .catch(() => {})
        .finally(() => closing.delete(closed));
      closing.add(closed);
    },
  });
  db.onClose(async () => {
    openings.clear();
    await Promise.all(closing);
  });
  return openings;
});

/** Opens the file of a version's rows, and makes it first if need be. Without one, rows come from the database. */
export const prepareRows = (context: Context, version: PublishedVersion): Promise<void> =>
  openingOf(context, version).done;

function openingOf(context: Context, version: PublishedVersion): Opening {
  const openings = openingsOf(context.db);
  const key = keyOf(version);
  const known = openings.get(key);
  const nowMs = context.clock.now().getTime();
  if (known && (known.reader !== null || Math.abs(nowMs - known.triedAtMs) < RETRY_MS)) return known;
  const opening: Opening = { reader: null, done: Promise.resolve(), triedAtMs: nowMs };
  opening.done = openReader(context, version).then(
    (reader) => {
      opening.reader = reader;
    },
    (err) => context.log.warn({ ...fieldsOf(version), err }, "A feed's rows could not be cached in a file."),
  );
  openings.set(key, opening);
  return opening;
}

async function openReader(context: Context, version: PublishedVersion): Promise<RowReader> {
  const { file, lengths } = await openRowFile(context, version, "ndjson", false);
  return new RowReader(file, lengths);
}

const fieldsOf = ({ id, feed }: PublishedVersion) => ({ version: id, feed: feed.code });

const NO_ROOM: Room = { before: 0, after: 0 };

/**
 * The JSON of these rows of a version, as it was published, each ended by LF, with room around them. Each byte of the room
 * must be written. The bytes are lent: who needs them no more may give them back. VersionGoneError.
 */
export async function readLines(
  context: Context,
  version: PublishedVersion,
  positions: Positions,
  room = NO_ROOM,
): Promise<Buffer> {
  const opening = openingOf(context, version);
  if (opening.reader !== null) {
    try {
      return await opening.reader.read(positions, room);
    } catch (err) {
      // Its file was closed, because others were needed more, or its disk has failed.
      if (openingsOf(context.db).peek(keyOf(version)) === opening) {
        opening.triedAtMs = context.clock.now().getTime();
        await opening.reader?.close().catch(() => {});
        opening.reader = null;
        context.log.warn({ ...fieldsOf(version), err }, "The file of a feed's rows could not be read.");
      }
    }
  }
  return linesFromDatabase(context, version, positions, room);
}

/** The JSON of these records, each with all columns of the version. VersionGoneError. */
export async function readRecordsAt(
  context: Context,
  version: FeedVersion,
  positions: Positions,
): Promise<string[]> {
  const bytes = await readLines(context, version, positions);
  const lines = String(bytes).split("\n");
  giveBack(bytes);
  return lines.slice(0, -1).map((json) => completeRecord(version.columns, json));
}

async function linesFromDatabase(
  context: Context,
  version: PublishedVersion,
  positions: Positions,
  { before, after }: Room,
): Promise<Buffer> {
  const [kind, where, values, count] =
    positions instanceof Int32Array
      ? ["list", "pos = ANY ($1::int[])", [`{${positions.join(",")}}`], positions.length]
      : [
          "range",
          "pos >= $1 AND pos <= $2",
          [positions.from, positions.to],
          positions.to - positions.from + 1,
        ];
  const text = `SELECT json FROM ${versionTable(version.id)} WHERE ${where} ORDER BY pos`;
  // Prepared once per connection and version. Connections are replaced before they hold many such statements.
  const name = `page ${version.id} ${kind}`;
  const { rows } = await fromVersion(version, () =>
    readRows(context, [version], ({ pool }) => dynamic(pool, text, values, { name, rowMode: "array" })),
  );
  if (rows.length !== count) {
    throw new Error(`Version ${version.id} gave ${countOf(rows.length, "row")} of ${count}.`);
  }
  const lines = (rows as [json: string][]).map(([json]) => `${json}\n`).join("");
  const bytes = Buffer.byteLength(lines);
  const buffer = Buffer.allocUnsafeSlow(before + bytes + after);
  buffer.write(lines, before);
  return buffer;
}
