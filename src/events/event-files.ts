// The newest events as lines of JSON in files of this process. What many ask for comes from there; the database answers what is
// older, and everything until a file is made.
import { LRUCache } from "lru-cache";
import * as sql from "../generated/sql/events.ts";
import type { Context, Database } from "../platform/context.ts";
import { perDatabase } from "../platform/database/per-database.ts";
import { type EventFile, makeEventFile, SPAN } from "./event-file.ts";
import type { ScopeParameter } from "./scope.ts";
import { type Start, startOf } from "./start.ts";

/** So many files, with the newest events, are made at most: 7 MB of memory, and 250 MB of disk. */
const MOST_FILES = 32;
/** A file costs the database as much as 100 to 200 pages, so it is made for events that so many pages asked for. */
const PAGES_BEFORE = 16;
/** After a file could not be made. */
const RETRY_MS = 60_000;

/** What a process has of events in one state. */
interface Kept {
  eventsState: string;
  /** By the multiple of SPAN after which their ids begin. */
  files: Map<number, EventFile>;
  /** How many pages asked for a file that is not there. */
  asked: Map<number, number>;
}

interface State {
  kept: Kept | null;
  making: Promise<void> | null;
  failedAtMs: number;
}

const stateBy = perDatabase((db): State => {
  db.onClose(async () => {
    await forget(db);
    await stateBy(db).making;
  });
  return { kept: null, making: null, failedAtMs: 0 };
});

/** Closes the files, after the reads that are under way. */
async function forget(db: Database): Promise<void> {
  const state = stateBy(db);
  const files = [...(state.kept?.files.values() ?? [])];
  state.kept = null;
  await Promise.allSettled(files.map((file) => file.close()));
}

const removedBy = perDatabase(
  (db) =>
    new LRUCache<string, ReadonlySet<number>>({
      max: 2,
      fetchMethod: async () => new Set((await sql.removedBusinesses(db.pool)).map(({ usdot }) => usdot)),
    }),
);

/** Which events a page has: the first of the scope after a position. */
export interface AskedLines {
  position: number;
  limit: number;
  scope: ScopeParameter;
}

/** The events of a page. */
export interface FoundLines {
  /** Their JSON, separated by commas. The bytes are lent. */
  lines: Buffer[];
  count: number;
  /** The id of the last one; 0 if there is none. */
  lastId: number;
  /** Whether others follow. */
  isCut: boolean;
}

/** The events of a page in the state of `start`; null if the files do not have them. */
export async function findLines(
  context: Context,
  start: Start,
  asked: AskedLines,
): Promise<FoundLines | null> {
  // In test mode events are few, and some are of one account.
  if (context.live !== undefined) return null;
  const kept = keptAt(context.db, start);
  // Asked before the files are: it may be newer than `start`, never older.
  const removed = await removedBy(context.db).fetch(start.listState);
  const parts = removed && choose(context, kept, start.newestId, asked, removed);
  if (!parts) return null;
  try {
    return await readParts(parts, asked.limit);
  } catch (err) {
    // Events have changed, so that the files were closed, or the disk has failed.
    if (kept === stateBy(context.db).kept) {
      context.log.warn({ err }, "The files of the newest events could not be read.");
      await forget(context.db);
    }
    return null;
  }
}

function keptAt(db: Database, { eventsState }: Start): Kept {
  const state = stateBy(db);
  if (state.kept?.eventsState === eventsState) return state.kept;
  forget(db);
  const kept = { eventsState, files: new Map(), asked: new Map() };
  state.kept = kept;
  return kept;
}

/** Some events of a file, by their places in it. */
interface Part {
  file: EventFile;
  places: number[];
}

/** The events of a page, and one more if there is one. Null if a file is not there. */
function choose(
  context: Context,
  kept: Kept,
  newestId: number,
  { position, limit, scope }: AskedLines,
  removed: ReadonlySet<number>,
): Part[] | null {
  const parts: Part[] = [];
  let most = limit + 1;
  for (let number = Math.floor(position / SPAN); most > 0 && number * SPAN < newestId; number++) {
    const file = kept.files.get(number);
    if (file === undefined) {
      askFor(context, kept, number, newestId);
      return null;
    }
    const places = file.choose({ position, most, scope, removed });
    parts.push({ file, places });
    most -= places.length;
  }
  return parts;
}

async function readParts(parts: readonly Part[], limit: number): Promise<FoundLines> {
  const found: FoundLines = { lines: [], count: 0, lastId: 0, isCut: false };
  for (const { file, places } of parts) {
    const shown = places.slice(0, limit - found.count);
    found.isCut ||= shown.length < places.length;
    const last = shown.at(-1);
    if (last === undefined) continue;
    found.lines.push(await file.read(shown));
    found.count += shown.length;
    found.lastId = file.idAt(last);
  }
  const end = found.lines.pop();
  // Without the comma after the last event.
  if (end !== undefined) found.lines.push(end.subarray(0, -1));
  return found;
}

/** Begins to make a file that enough pages asked for, unless another one is being made. */
function askFor(context: Context, kept: Kept, number: number, newestId: number): void {
  if (number <= Math.floor((newestId - 1) / SPAN) - MOST_FILES) return;
  const asked = (kept.asked.get(number) ?? 0) + 1;
  kept.asked.set(number, asked);
  const state = stateBy(context.db);
  const sinceFailureMs = Math.abs(context.clock.now().getTime() - state.failedAtMs);
  if (asked < PAGES_BEFORE || state.making !== null || sinceFailureMs < RETRY_MS) return;
  state.making = make(context, kept, number)
    .catch((err) => {
      state.failedAtMs = context.clock.now().getTime();
      context.log.warn({ err }, "The newest events could not be cached in a file.");
    })
    .finally(() => {
      state.making = null;
    });
}

async function make(context: Context, kept: Kept, number: number): Promise<void> {
  const { db } = context;
  const file = await makeEventFile(context, number * SPAN);
  let isCurrent = false;
  try {
    // Asked when the file has all its events: none of them is of a later state then.
    const { eventsState } = await startOf(db, "cursor");
    isCurrent = eventsState === kept.eventsState && kept === stateBy(db).kept;
  } finally {
    if (isCurrent) kept.files.set(number, file);
    else await file.close();
  }
}
