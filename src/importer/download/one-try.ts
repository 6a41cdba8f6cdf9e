import { createWriteStream } from "node:fs";
import { rename, rm } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import { OperatorError } from "../../platform/operator-error.ts";
import {
  changedAtOf,
  lengthOf,
  rangeOf,
  requireSuccess,
  requireTable,
  requireTableText,
} from "./answer-checks.ts";
import { causeOf, NotOffered, PassingFailure } from "./failures.ts";
import { dropPart, type FilePaths, type Note, readNote, sizeOf, writeNote } from "./files-on-disk.ts";
import { type StallWatch, stallWatch } from "./stall-watch.ts";

/** One file to fetch, with the settings of its tries. */
export interface Fetching {
  /** The file's name in messages. */
  what: string;
  url: string;
  /** Sent to the portal, which may ask for it. */
  appToken: string | null;
  paths: FilePaths;
  /** A try ends when no byte arrives for this time. */
  stallMs: number;
  now: () => Date;
  onProgress: (progress: { receivedBytes: number; sizeBytes: number | null }) => void;
}

export interface Fetched {
  /** unchanged: the server still has the file on disk. resumed: only the rest was fetched. */
  outcome: "fetched" | "resumed" | "unchanged";
  sizeBytes: number;
  url: string;
  /** The portal's own time of the file's last change; null when it does not say. */
  changedAt: string | null;
}

/**
 * Fetches a file. Resumes an earlier try if the server still has the same bytes. Throws PassingFailure when another try
 * may succeed, and keeps the received bytes for it. A file gets its final name only when it is complete.
 */
export async function fetchOnce(fetching: Fetching): Promise<Fetched> {
  // `stall.end()` also closes the connection of an answer that was not read to its end.
  const stall = stallWatch(fetching.stallMs);
  try {
    return await receive(fetching, stall);
  } catch (error) {
    const isNamed = [OperatorError, PassingFailure, NotOffered].some((named) => error instanceof named);
    if (isNamed) throw error;
    if (stall.hasStalled()) throw new PassingFailure(`no byte arrived for ${fetching.stallMs / 1000} s`);
    throw causeOf(error, fetching);
  } finally {
    stall.end();
  }
}

async function receive(fetching: Fetching, stall: StallWatch): Promise<Fetched> {
  const { url, paths, what, appToken } = fetching;
  const onDisk = await readOnDisk(paths, url);
  const headers = { ...requestHeaders(onDisk), ...(appToken ? { "X-App-Token": appToken } : {}) };
  const response = await fetch(url, { headers, signal: stall.signal });
  stall.moved();
  const etag = response.headers.get("etag");
  const answer = { url, changedAt: changedAtOf(response) };
  if (onDisk.whole && isUnchanged(response, onDisk.whole)) {
    return { outcome: "unchanged", sizeBytes: onDisk.whole.sizeBytes, ...answer };
  }
  if (response.status === 416) {
    await dropPart(paths);
    throw new PassingFailure("the file has changed since its first part was received");
  }
  requireSuccess(response, what, fetching.now());
  requireTable(response, what);
  const isRest = response.status === 206;
  const start = isRest ? await restOf(fetching, response, onDisk) : await wholeOf(fetching, response);
  const receivedBytes = await save(fetching, stall, response, start);
  if (receivedBytes === 0 || (start.sizeBytes !== null && receivedBytes !== start.sizeBytes)) {
    await dropPart(paths);
    throw new PassingFailure(`received ${receivedBytes} bytes instead of ${start.sizeBytes ?? "a file"}`);
  }
  await finishFile(paths, etag === null ? null : { url, etag, sizeBytes: receivedBytes });
  return { outcome: isRest ? "resumed" : "fetched", sizeBytes: receivedBytes, ...answer };
}

const isUnchanged = ({ status, headers }: Response, whole: { etag: string }): boolean =>
  status === 304 || (status === 200 && headers.get("etag") === whole.etag);

/** Where an answer's bytes belong in the file, and how long the whole file is if the server says so. */
interface Start {
  startBytes: number;
  sizeBytes: number | null;
}

/** The answer has the rest of a file. Throws PassingFailure when it is the rest of another. */
async function restOf({ paths }: Fetching, response: Response, { part, partBytes }: OnDisk): Promise<Start> {
  const range = rangeOf(response);
  if (range?.start !== partBytes || response.headers.get("etag") !== part?.etag) {
    await dropPart(paths);
    throw new PassingFailure("the server sent another range than the missing one");
  }
  return { startBytes: partBytes, sizeBytes: range.sizeBytes ?? part?.sizeBytes ?? null };
}

/** The answer has a whole file. Notes what it is, so that a later try can resume. */
async function wholeOf({ url, paths }: Fetching, response: Response): Promise<Start> {
  const sizeBytes = lengthOf(response);
  const etag = response.headers.get("etag");
  await dropPart(paths);
  if (etag !== null) await writeNote(paths.partNote, { url, etag, sizeBytes });
  return { startBytes: 0, sizeBytes };
}

interface OnDisk {
  /** The whole file of an earlier run, if nobody changed it since. */
  whole: { etag: string; sizeBytes: number } | null;
  part: Note | null;
  partBytes: number;
}

async function readOnDisk(paths: FilePaths, url: string): Promise<OnDisk> {
  const [fileNote, fileBytes] = [await readNote(paths.fileNote, url), await sizeOf(paths.file)];
  const isWhole = fileNote !== null && fileBytes !== null && fileNote.sizeBytes === fileBytes;
  const [partNote, partBytes] = [await readNote(paths.partNote, url), await sizeOf(paths.part)];
  // A weak ETag does not promise equal bytes, so a download cannot resume with it (RFC 9110 13.1.5).
  const canResume = partNote !== null && !partNote.etag.startsWith("W/") && (partBytes ?? 0) > 0;
  return {
    whole: isWhole ? { etag: fileNote.etag, sizeBytes: fileBytes } : null,
    part: canResume ? partNote : null,
    partBytes: canResume ? (partBytes ?? 0) : 0,
  };
}

// No compression: it would prevent length checks and range requests.
function requestHeaders({ whole, part, partBytes }: OnDisk): Record<string, string> {
  return {
    Accept: "text/csv, text/plain;q=0.5",
    "Accept-Encoding": "identity",
    ...(part ? { Range: `bytes=${partBytes}-`, "If-Range": part.etag } : {}),
    ...(whole && !part ? { "If-None-Match": whole.etag } : {}),
  };
}

/** Appends the body to the partial file; returns that file's new length. */
async function save(
  fetching: Fetching,
  stall: StallWatch,
  response: Response,
  { startBytes, sizeBytes }: Start,
): Promise<number> {
  const { url, what, paths, onProgress } = fetching;
  let receivedBytes = startBytes;
  let failure: unknown = null;
  onProgress({ receivedBytes, sizeBytes });
  // A network failure ends the stream normally, so that earlier bytes reach the disk.
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
  await pipeline(chunks, createWriteStream(paths.part, { flags: startBytes > 0 ? "a" : "w", flush: true }));
  if (failure !== null) throw failure;
  return receivedBytes;
}

async function finishFile(paths: FilePaths, note: Note | null): Promise<void> {
  // Removes the old note first: after a crash in between it must not describe the new file.
  await rm(paths.fileNote, { force: true });
  await rename(paths.part, paths.file);
  if (note) await writeNote(paths.fileNote, note);
  await dropPart(paths);
}
