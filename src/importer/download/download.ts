// Downloads the official registry files one after the other.
// Owns the files in the folder, their manifest, and the hidden ones beside them: partial downloads, ETags and a lock.
// Promises that a file has its final name only when it is complete, and never derives the age of rows from a timestamp.
import { mkdir, readdir } from "node:fs/promises";
import path from "node:path";
import { setTimeout } from "node:timers/promises";
import pRetry from "p-retry";
import { type Clock, systemClock } from "../../platform/clock.ts";
import { OperatorError } from "../../platform/operator-error.ts";
import { folderNotWritten } from "../../platform/operator-file.ts";
import { type Dataset, isLegacy } from "../../registry/datasets.ts";
import { OFFICIAL_FILES } from "../official/official-files.ts";
import { sha256Of } from "../read/file-bytes.ts";
import { readManifest, writeManifestEntry } from "../read/manifest.ts";
import { notOffered } from "./answer-checks.ts";
import { NotOffered, PassingFailure } from "./failures.ts";
import { filePathsOf, lockFolder, sizeOf } from "./files-on-disk.ts";
import { type Fetched, type Fetching, fetchOnce } from "./one-try.ts";

/** A registry file on the portal. */
interface PortalFile {
  dataset: Dataset;
  /** The dataset's id at the portal. */
  id: string;
  /** Its name in the download folder. */
  name: string;
}

/** Every whole file. */
export const FULL_FILES: readonly PortalFile[] = OFFICIAL_FILES.map(({ dataset, ids: [id] }) => ({
  dataset,
  id,
  name: `${dataset}.csv`,
}));

/** The daily differences of Motus. */
const DIFFERENCE_FILES: readonly PortalFile[] = OFFICIAL_FILES.flatMap(({ dataset, differenceId: id }) =>
  id === undefined ? [] : [{ dataset, id, name: `${dataset}_difference.csv` }],
);

export interface DownloadOptions {
  outDir: string;
  /** The addresses of the portal and its mirrors, without a trailing slash. The next one is asked when one fails. */
  portalUrls: readonly string[];
  /** The portal's app token; null when there is none. */
  appToken?: string | null;
  /** Only these datasets. Legacy files among them are fetched even when they are on disk already. */
  only?: readonly string[];
  /** The daily differences of Motus instead of the full files. */
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
  /** kept: a legacy file that is on disk already and that `only` does not name. */
  outcome: Fetched["outcome"] | "kept";
  sizeBytes: number;
}

const STALL_MS = 60_000;
const RETRIES = 8;
const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 60_000;
/** Longest Retry-After that the process waits for. After a longer one the operator runs the command again. */
const LONGEST_RETRY_AFTER_MS = 15 * 60_000;

/**
 * Downloads the files in turn, in one process at a time per folder. OperatorError for the first that fails; earlier files
 * stay.
 */
export async function downloadRegistry(options: DownloadOptions): Promise<DownloadedFile[]> {
  const files = wantedFiles(options);
  await openFolder(options.outDir, options.isDifference ?? false);
  const lock = await lockFolder(options.outDir);
  try {
    return await downloadFiles(files, options);
  } finally {
    lock.close();
  }
}

async function downloadFiles(
  files: readonly PortalFile[],
  options: DownloadOptions,
): Promise<DownloadedFile[]> {
  const downloaded: DownloadedFile[] = [];
  for (const file of files) {
    const { dataset, id, name } = file;
    const fetched = await fetchFile(file, options);
    if (fetched.outcome !== "kept") await noteFile(file, fetched, options);
    const { outcome, sizeBytes } = fetched;
    const done = { dataset, id, file: name, outcome, sizeBytes };
    downloaded.push(done);
    options.onProgress?.({ step: "done", file: done });
  }
  return downloaded;
}

/** Enters the file into the folder's manifest. The time of an unchanged file stays that of its download. */
async function noteFile(
  { name }: PortalFile,
  { outcome, sizeBytes, url, changedAt }: Fetched,
  { outDir, clock = systemClock }: DownloadOptions,
): Promise<void> {
  const noted = await readManifest(outDir).catch(() => []);
  const isNoted = noted.some(({ file, sizeBytes: size }) => file === name && size === sizeBytes);
  if (outcome === "unchanged" && isNoted) return;
  const sha256 = await sha256Of(path.join(outDir, name));
  const fetchedAt = clock.now().toISOString();
  await writeManifestEntry(outDir, { file: name, url, sizeBytes, sha256, changedAt, fetchedAt });
}

function wantedFiles({ only, isDifference }: DownloadOptions): readonly PortalFile[] {
  const offered = isDifference ? DIFFERENCE_FILES : FULL_FILES;
  if (!only || only.length === 0) return offered;
  const unknown = only.filter((name) => !offered.some(({ dataset }) => dataset === name));
  if (unknown.length === 0) return offered.filter(({ dataset }) => only.includes(dataset));
  const known = offered.map(({ dataset }) => dataset).join(", ");
  throw new OperatorError(
    `There is no ${isDifference ? "daily difference" : "file"} ${unknown.join(", ")}; there are ${known}.`,
  );
}

/** Full files and differences must not share a folder: their headers are equal, and an import reads all files as one kind. */
async function openFolder(outDir: string, isDifference: boolean): Promise<void> {
  const others = new Set((isDifference ? FULL_FILES : DIFFERENCE_FILES).map(({ name }) => name));
  const names = await mkdir(outDir, { recursive: true })
    .then(() => readdir(outDir))
    .catch(async (error: NodeJS.ErrnoException) => {
      throw await folderNotWritten(outDir, error);
    });
  const other = names.find((name) => others.has(name) && name.startsWith("motus_"));
  if (other === undefined) return;
  throw new OperatorError(
    `${outDir} holds ${other}: daily differences and full files need a folder each; choose another --out.`,
  );
}

/** The portal's two forms of a whole export: the second one is asked when the portal no longer gives the first. */
const EXPORT_FORMS: readonly ((id: string) => string)[] = [
  (id) => `/api/views/${id}/rows.csv?accessType=DOWNLOAD`,
  (id) => `/api/v3/views/${id}/export.csv`,
];

/** Fetches a file from the first address that gives it. OperatorError when none does. */
async function fetchFile(
  file: PortalFile,
  options: DownloadOptions,
): Promise<Fetched | { outcome: "kept"; sizeBytes: number }> {
  const { outDir, portalUrls, only = [] } = options;
  const paths = filePathsOf(outDir, file.name);
  const sizeBytes = await sizeOf(paths.file);
  if (isLegacy(file.dataset) && sizeBytes !== null && !only.includes(file.dataset))
    return { outcome: "kept", sizeBytes };
  const what = `${path.basename(paths.file)} (${file.id})`;
  const answers: string[] = [];
  let failure: OperatorError | null = null;
  for (const portalUrl of portalUrls) {
    try {
      for (const form of EXPORT_FORMS) {
        const fetched = await fetchFrom(`${portalUrl}${form(file.id)}`, { file, what, options }).catch(
          (error) => {
            if (!(error instanceof NotOffered)) throw error;
            answers.push(error.message);
            return null;
          },
        );
        if (fetched) return fetched;
      }
    } catch (error) {
      if (!(error instanceof OperatorError && mayBeElsewhere(error.cause))) throw error;
      failure = error;
    }
  }
  throw failure ?? notOffered(what, answers);
}

const mayBeElsewhere = (cause: unknown): boolean =>
  cause instanceof PassingFailure || cause instanceof NotOffered;

/**
 * Fetches a file from one address, in several tries. OperatorError caused by a PassingFailure when all of them failed or it
 * asks for a long wait, or by NotOffered when it answers with a web page.
 */
async function fetchFrom(
  url: string,
  { file, what, options }: { file: PortalFile; what: string; options: DownloadOptions },
): Promise<Fetched> {
  const { clock = systemClock, wait = (ms) => setTimeout(ms), onProgress = () => {} } = options;
  const fetching: Fetching = {
    what,
    url,
    appToken: options.appToken ?? null,
    paths: filePathsOf(options.outDir, file.name),
    stallMs: options.stallMs ?? STALL_MS,
    now: () => clock.now(),
    onProgress: (progress) => onProgress({ step: "receive", file: file.name, ...progress }),
  };
  let tries = 0;
  try {
    return await pRetry(() => fetchOnce(fetching), {
      retries: RETRIES,
      // `onFailedAttempt` waits instead, since it honours Retry-After.
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
      `${what} could not be downloaded in ${tries} tries: ${error.message}. The received part stays on disk; run the command again to go on.`,
      { cause: error, solution: "later" },
    );
  }
}

function waitBefore(attempt: number, error: PassingFailure, what: string): number {
  const { retryAfterMs } = error;
  if (retryAfterMs !== null && retryAfterMs > LONGEST_RETRY_AFTER_MS) {
    const minutes = Math.ceil(retryAfterMs / 60_000);
    throw new OperatorError(
      `${what}: the portal asks to wait ${minutes} minutes; run the command again then.`,
      { cause: error, solution: "later" },
    );
  }
  return Math.max(Math.min(FIRST_WAIT_MS * 2 ** (attempt - 1), LONGEST_WAIT_MS), retryAfterMs ?? 0);
}
