import { createWriteStream } from "node:fs";
import { rename, rm } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import { OperatorError } from "../../platform/operator-error.ts";
import { lengthOf, rangeOf, requireSuccess, requireTable, requireTableText } from "./answer-checks.ts";
import { causeOf } from "./causes.ts";
import { dropPart, type Note, type Places, readNote, sizeOf, writeNote } from "./kept-state.ts";
import { PassingFailure } from "./passing-failure.ts";
import { type StallWatch, stallWatch } from "./stall-watch.ts";

/** One file to fetch, and what its tries need. */
export interface Fetching {
  /** How messages name the file. */
  what: string;
  url: string;
  places: Places;
  /** No byte for so long ends a try. */
  stallMs: number;
  now: () => Date;
  onProgress: (progress: { receivedBytes: number; sizeBytes: number | null }) => void;
}

export interface Fetched {
  /** unchanged: the server still has the file that lies there. resumed: only the rest was fetched. */
  outcome: "fetched" | "resumed" | "unchanged";
  sizeBytes: number;
}

/**
 * Fetches a file, going on where an earlier try ended if the server still has the same bytes. Throws PassingFailure
 * when another try may do better; what was received then stays. The file's name only ever holds a whole file.
 */
export async function fetchOnce(fetching: Fetching): Promise<Fetched> {
  // Its end also closes the connection of an answer that is not read to its end.
  const stall = stallWatch(fetching.stallMs);
  try {
    return await receive(fetching, stall);
  } catch (error) {
    if (error instanceof OperatorError || error instanceof PassingFailure) throw error;
    if (stall.hasStalled()) throw new PassingFailure(`no byte came for ${fetching.stallMs / 1000} s`);
    throw causeOf(error, fetching);
  } finally {
    stall.end();
  }
}

async function receive(fetching: Fetching, stall: StallWatch): Promise<Fetched> {
  const { url, places, what } = fetching;
  const kept = await readKept(places, url);
  const response = await fetch(url, { headers: requestHeaders(kept), signal: stall.signal });
  stall.moved();
  if (response.status === 304 && kept.whole) return { outcome: "unchanged", sizeBytes: kept.whole.sizeBytes };
  if (response.status === 416) {
    await dropPart(places);
    throw new PassingFailure("what was received before is no part of the file any more");
  }
  requireSuccess(response, what, fetching.now());
  requireTable(response, what);
  const etag = response.headers.get("etag");
  if (response.status === 200 && kept.whole && etag === kept.whole.etag) {
    return { outcome: "unchanged", sizeBytes: kept.whole.sizeBytes };
  }
  const isRest = response.status === 206;
  const range = isRest ? rangeOf(response) : null;
  if (isRest && (range?.start !== kept.partBytes || etag !== kept.part?.etag)) {
    await dropPart(places);
    throw new PassingFailure("the rest that was sent does not fit what was received before");
  }
  const sizeBytes = isRest ? (range?.sizeBytes ?? kept.part?.sizeBytes ?? null) : lengthOf(response);
  if (!isRest) await dropPart(places);
  if (!isRest && etag !== null) await writeNote(places.partNote, { url, etag, sizeBytes });
  const receivedBytes = await save(fetching, stall, response, {
    startBytes: isRest ? kept.partBytes : 0,
    sizeBytes,
  });
  if (receivedBytes === 0 || (sizeBytes !== null && receivedBytes !== sizeBytes)) {
    await dropPart(places);
    throw new PassingFailure(`${receivedBytes} bytes came instead of ${sizeBytes ?? "a file"}`);
  }
  await keepWhole(places, etag === null ? null : { url, etag, sizeBytes: receivedBytes });
  return { outcome: isRest ? "resumed" : "fetched", sizeBytes: receivedBytes };
}

interface Kept {
  /** The whole file of an earlier run, if it is untouched since. */
  whole: { etag: string; sizeBytes: number } | null;
  part: Note | null;
  partBytes: number;
}

async function readKept(places: Places, url: string): Promise<Kept> {
  const [fileNote, fileBytes] = [await readNote(places.fileNote, url), await sizeOf(places.file)];
  const isWhole = fileNote !== null && fileBytes !== null && fileNote.sizeBytes === fileBytes;
  const [partNote, partBytes] = [await readNote(places.partNote, url), await sizeOf(places.part)];
  // A weak ETag promises no equal bytes, so that nothing may be appended under it (RFC 9110 13.1.5).
  const canResume = partNote !== null && !partNote.etag.startsWith("W/") && (partBytes ?? 0) > 0;
  return {
    whole: isWhole ? { etag: fileNote.etag, sizeBytes: fileBytes } : null,
    part: canResume ? partNote : null,
    partBytes: canResume ? (partBytes ?? 0) : 0,
  };
}

// Compressed, a length could not be checked and a range not be asked for.
function requestHeaders({ whole, part, partBytes }: Kept): Record<string, string> {
  return {
    Accept: "text/csv, text/plain;q=0.5",
    "Accept-Encoding": "identity",
    ...(part ? { Range: `bytes=${partBytes}-`, "If-Range": part.etag } : {}),
    ...(whole && !part ? { "If-None-Match": whole.etag } : {}),
  };
}

/** Streams the body to the end of the part; returns how long the part then is. */
async function save(
  fetching: Fetching,
  stall: StallWatch,
  response: Response,
  { startBytes, sizeBytes }: { startBytes: number; sizeBytes: number | null },
): Promise<number> {
  const { url, what, places, onProgress } = fetching;
  let receivedBytes = startBytes;
  let failure: unknown = null;
  onProgress({ receivedBytes, sizeBytes });
  // A failure of the network ends the stream in order, so that what came before it reaches the disk.
  async function* chunks(): AsyncGenerator<Uint8Array> {
    try {
      for await (const chunk of response.body ?? []) {
        stall.moved();
        if (receivedBytes === 0) requireTableText(chunk, url, what);
        receivedBytes += chunk.length;
        onProgress({ receivedBytes, sizeBytes });
        yield chunk;
      }
    } catch (error) {
      failure = error;
    }
  }
  await pipeline(chunks, createWriteStream(places.part, { flags: startBytes > 0 ? "a" : "w", flush: true }));
  if (failure !== null) throw failure;
  return receivedBytes;
}

async function keepWhole(places: Places, note: Note | null): Promise<void> {
  // The old note goes first: a crash in between must not leave it standing for the new file.
  await rm(places.fileNote, { force: true });
  await rename(places.part, places.file);
  if (note) await writeNote(places.fileNote, note);
  await dropPart(places);
}
