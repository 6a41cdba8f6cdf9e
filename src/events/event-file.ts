import { randomUUID } from "node:crypto";
import { type FileHandle, mkdir, open, rm } from "node:fs/promises";
import path from "node:path";
import * as sql from "../generated/sql/events.ts";
import { cacheIn } from "../platform/config/data-dir.ts";
import type { Context } from "../platform/context.ts";
import { indexOfFirst } from "../platform/index-of-first.ts";
import { linesToList } from "../platform/json-text.ts";
import { RowReader } from "../platform/row-reader.ts";
import { type EventRow, eventOut } from "./event-row.ts";
import { hasEntry, type ScopeParameter, scopeEntry } from "./scope.ts";

/** A file has the events whose ids are above a multiple of it, up to the next: about 8 MB. Ids take 16 bits in memory. */
export const SPAN = 16_384;
/** Reading more events at a time would keep requests waiting. */
const STEP = 500;
const NO_ROOM = { before: 0, after: 0 };

/** Which events of a file are asked for. */
export interface Choice {
  /** They have higher ids. */
  position: number;
  most: number;
  scope: ScopeParameter;
  removed: ReadonlySet<number>;
}

/** Events as lines of JSON in an open file, and what a page chooses them by in memory. */
export class EventFile {
  readonly #reader: RowReader;
  /** Each event's id is so much more than this. */
  readonly #after: number;
  readonly #ids: Uint16Array;
  readonly #usdots: Int32Array;
  /** Each event's type and state, as an index. */
  readonly #kinds: Uint16Array;
  readonly #kindNames: readonly string[];

  constructor(handle: FileHandle, after: number, written: Written) {
    this.#reader = new RowReader(handle, Uint32Array.from(written.lengths));
    this.#after = after;
    this.#ids = Uint16Array.from(written.ids);
    this.#usdots = Int32Array.from(written.usdots);
    this.#kinds = Uint16Array.from(written.kinds);
    this.#kindNames = [...written.kindNames.keys()];
  }

  /** The places of the chosen events, ascending. */
  choose({ position, most, scope, removed }: Choice): number[] {
    const isOfScope = this.#kindsIn(scope);
    const places: number[] = [];
    const first = indexOfFirst(this.#ids.length, (place) => this.idAt(place) > position);
    for (let place = first; place < this.#ids.length && places.length < most; place++) {
      const isShown = isOfScope(this.#kinds[place] as number) && !removed.has(this.#usdots[place] as number);
      if (isShown) places.push(place);
    }
    return places;
  }

  idAt(place: number): number {
    return this.#after + (this.#ids[place] as number);
  }

  /** The JSON of the events at these places, each followed by a comma. The bytes are lent. */
  async read(places: readonly number[]): Promise<Buffer> {
    const positions = Int32Array.from(places, (place) => place + 1);
    const lines = await this.#reader.read(positions, NO_ROOM);
    linesToList(lines);
    return lines;
  }

  /** Waits for the reads that are under way. */
  close(): Promise<void> {
    return this.#reader.close();
  }

  /** Whether a scope has the events of a kind. */
  #kindsIn(scope: ScopeParameter): (kind: number) => boolean {
    const entries = new Set(scope);
    const known: (boolean | undefined)[] = [];
    return (kind) => {
      const found = known[kind] ?? hasEntry(entries, this.#kindNames[kind] as string);
      known[kind] = found;
      return found;
    };
  }
}

/** What is known of the events that were written, in the order of their ids. */
interface Written {
  lengths: number[];
  ids: number[];
  usdots: number[];
  kinds: number[];
  /** Types and states as entries of scopes, with their indexes. */
  kindNames: Map<string, number>;
}

/** Makes the file of the events after an id, a multiple of SPAN. Nobody else sees it, and the system removes it with the process. */
export async function makeEventFile(context: Context, after: number): Promise<EventFile> {
  const folder = cacheIn(context.config);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const name = path.join(folder, `events.${randomUUID()}`);
  const handle = await open(name, "wx+", 0o600);
  try {
    // An open file stays readable.
    await rm(name);
    return new EventFile(handle, after, await writeEvents(context, handle, after));
  } catch (error) {
    await handle.close();
    throw error;
  }
}

async function writeEvents({ db }: Context, handle: FileHandle, after: number): Promise<Written> {
  const written: Written = { lengths: [], ids: [], usdots: [], kinds: [], kindNames: new Map() };
  let rows: EventRow[];
  do {
    const position = after + (written.ids.at(-1) ?? 0);
    rows = await sql.readAll(db.pool, { position, upTo: after + SPAN, most: STEP });
    const lines = rows.map((row) => JSON.stringify(eventOut(row)));
    await handle.appendFile(lines.map((line) => `${line}\n`).join(""));
    for (const [index, row] of rows.entries()) note(written, row, after, lines[index] as string);
  } while (rows.length === STEP);
  return written;
}

function note(written: Written, { id, usdot, type, state }: EventRow, after: number, line: string): void {
  const { kindNames } = written;
  const name = scopeEntry(type, state);
  const kind = kindNames.get(name) ?? kindNames.size;
  kindNames.set(name, kind);
  written.kinds.push(kind);
  written.lengths.push(Buffer.byteLength(line));
  written.ids.push(id - after);
  written.usdots.push(usdot);
}
