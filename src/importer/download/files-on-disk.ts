import { readFile, rm, stat, writeFile } from "node:fs/promises";
import path from "node:path";

/** Where a file, what is there of it and what is known of both lie. Names with a dot in front are no import's business. */
export interface Places {
  file: string;
  part: string;
  fileNote: string;
  partNote: string;
}

export const placesOf = (dir: string, name: string): Places => ({
  file: path.join(dir, name),
  part: path.join(dir, `.${name}.part`),
  fileNote: path.join(dir, `.${name}.json`),
  partNote: path.join(dir, `.${name}.part.json`),
});

/** What the server said of the bytes that lie beside the note. */
export interface Note {
  url: string;
  etag: string;
  sizeBytes: number | null;
}

/** The note, unless it is missing, unreadable or of another address. */
export async function readNote(place: string, url: string): Promise<Note | null> {
  try {
    const note = JSON.parse(await readFile(place, "utf8")) as Note;
    return note.url === url && typeof note.etag === "string" ? note : null;
  } catch {
    return null;
  }
}

export const writeNote = (place: string, note: Note): Promise<void> => writeFile(place, JSON.stringify(note));

/** Size of a file in bytes; null where there is none. */
export async function sizeOf(place: string): Promise<number | null> {
  const info = await stat(place).catch(() => null);
  return info?.isFile() ? info.size : null;
}

/** Forgets what was received so far. */
export async function dropPart(places: Places): Promise<void> {
  await rm(places.partNote, { force: true });
  await rm(places.part, { force: true });
}
