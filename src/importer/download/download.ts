// Downloading: the official registry files to disk, one after the other, whole or not at all.
// Owns the folder's files and the hidden ones beside them (what was received so far, and under which ETag).
// Promises that a file's name never holds half a file, and takes no timestamp for the age of rows.
import { mkdir, readdir } from "node:fs/promises";
import path from "node:path";
import { setTimeout } from "node:timers/promises";
import pRetry from "p-retry";
import { type Clock, systemClock } from "../../platform/clock.ts";
import { OperatorError } from "../../platform/operator-error.ts";
import type { Dataset } from "../../registry/datasets.ts";
import { placesOf, sizeOf } from "./kept-state.ts";
import { DIFFERENCE_FILES, FULL_FILES, type OfficialFile } from "./official-files.ts";
import { type Fetched, type Fetching, fetchOnce } from "./one-try.ts";
import { PassingFailure } from "./passing-failure.ts";

export interface DownloadOptions {
  outDir: string;
  /** The portal's address, without a trailing slash. */
  portalUrl: string;
  /** Only these datasets; the frozen ones among them are then fetched even where they lie already. */
  only?: readonly string[];
  /** The daily differences of Motus in the place of the full files. */
  isDifference?: boolean;
  onProgress?: (progress: DownloadProgress) => void;
  clock?: Clock;
  /** Waits between two tries. */
  wait?: (ms: number) => Promise<void>;
  stallMs?: number;
}

export type DownloadProgress =
  | { step: "receive"; file: string; receivedBytes: number; sizeBytes: number | null }
  | { step: "wait"; file: string; why: string; waitMs: number }
  | { step: "done"; file: DownloadedFile };

export interface DownloadedFile {
  dataset: Dataset;
  id: string;
  file: string;
  /** kept: a frozen file that lies there already and was not asked for. */
  outcome: Fetched["outcome"] | "kept";
  sizeBytes: number;
}

const STALL_MS = 60_000;
const RETRIES = 8;
const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 60_000;
/** A portal that wants to be left alone for longer is asked again by its operator, not by a waiting process. */
const LONGEST_RETRY_AFTER_MS = 15 * 60_000;

/** Downloads the wanted files. OperatorError at the first that cannot be had; those before it stay. */
export async function downloadRegistry(options: DownloadOptions): Promise<DownloadedFile[]> {
  const files = wantedFiles(options);
  await openFolder(options.outDir, options.isDifference ?? false);
  const downloaded: DownloadedFile[] = [];
  for (const file of files) {
    const { dataset, id, name } = file;
    const done = { dataset, id, file: name, ...(await fetchFile(file, options)) };
    downloaded.push(done);
    options.onProgress?.({ step: "done", file: done });
  }
  return downloaded;
}

function wantedFiles({ only, isDifference }: DownloadOptions): readonly OfficialFile[] {
  const offered = isDifference ? DIFFERENCE_FILES : FULL_FILES;
  if (!only || only.length === 0) return offered;
  const unknown = only.filter((name) => !offered.some(({ dataset }) => dataset === name));
  if (unknown.length === 0) return offered.filter(({ dataset }) => only.includes(dataset));
  const known = offered.map(({ dataset }) => dataset).join(", ");
  throw new OperatorError(
    `There is no ${isDifference ? "daily difference" : "file"} ${unknown.join(", ")}; there are ${known}.`,
  );
}

/** A header cannot tell a difference from a full file, and an import reads a whole folder as the one or the other. */
async function openFolder(outDir: string, isDifference: boolean): Promise<void> {
  const others = new Set((isDifference ? FULL_FILES : DIFFERENCE_FILES).map(({ name }) => name));
  const names = await mkdir(outDir, { recursive: true })
    .then(() => readdir(outDir))
    .catch((error: NodeJS.ErrnoException) => {
      throw new OperatorError(
        `Could not write into ${outDir} (${error.code}): choose a folder that can be written to with --out.`,
      );
    });
  const other = names.find((name) => others.has(name) && name.startsWith("motus_"));
  if (other === undefined) return;
  throw new OperatorError(
    `${outDir} holds ${other}: daily differences and full files need a folder each; choose another --out.`,
  );
}

async function fetchFile(
  file: OfficialFile,
  options: DownloadOptions,
): Promise<Fetched | { outcome: "kept"; sizeBytes: number }> {
  const {
    outDir,
    portalUrl,
    only = [],
    clock = systemClock,
    wait = (ms) => setTimeout(ms),
    onProgress = () => {},
  } = options;
  const places = placesOf(outDir, file.name);
  const sizeBytes = await sizeOf(places.file);
  if (file.kind === "frozen" && sizeBytes !== null && !only.includes(file.dataset))
    return { outcome: "kept", sizeBytes };
  const what = `${path.basename(places.file)} (${file.id})`;
  const fetching: Fetching = {
    what,
    places,
    stallMs: options.stallMs ?? STALL_MS,
    now: () => clock.now(),
    url: `${portalUrl}/api/views/${file.id}/rows.csv?accessType=DOWNLOAD`,
    onProgress: (progress) => onProgress({ step: "receive", file: file.name, ...progress }),
  };
  let tries = 0;
  try {
    return await pRetry(() => fetchOnce(fetching), {
      retries: RETRIES,
      // The wait is ours: it honours Retry-After.
      minTimeout: 0,
      maxTimeout: 0,
      shouldRetry: ({ error }) => error instanceof PassingFailure,
      onFailedAttempt: async ({ error, attemptNumber, retriesLeft }) => {
        tries = attemptNumber;
        if (!(error instanceof PassingFailure) || retriesLeft === 0) return;
        const waitMs = waitBefore(attemptNumber, error, what);
        onProgress({ step: "wait", file: file.name, why: error.message, waitMs });
        await wait(waitMs);
      },
    });
  } catch (error) {
    if (!(error instanceof PassingFailure)) throw error;
    throw new OperatorError(
      `${what} could not be downloaded in ${tries} tries: ${error.message}. What was received stays; run the command again to go on.`,
      { cause: error },
    );
  }
}

function waitBefore(attempt: number, { retryAfterMs }: PassingFailure, what: string): number {
  if (retryAfterMs !== null && retryAfterMs > LONGEST_RETRY_AFTER_MS) {
    const minutes = Math.ceil(retryAfterMs / 60_000);
    throw new OperatorError(
      `${what}: the portal asks to be left alone for ${minutes} minutes; run the command again then.`,
    );
  }
  return Math.max(Math.min(FIRST_WAIT_MS * 2 ** (attempt - 1), LONGEST_WAIT_MS), retryAfterMs ?? 0);
}
