import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type pg from "pg";
import type { Context } from "../platform/context.ts";
import { copyFrom } from "../platform/database/copy.ts";
import { dynamic, type Queryable } from "../platform/database/statement.ts";
import { begin, commit } from "../platform/database/transaction.ts";
import { DATASETS, type Dataset, isDifferenceOf, OPTIONAL_DATASETS } from "../registry/datasets.ts";
import type { RemovalKey } from "../registry/merge.ts";
import { listSources, ROW_DAY } from "../registry/sources.ts";
import { CodedValues, type UnknownValues } from "./checks/coded-values.ts";
import { FileDates, type OddDates } from "./checks/file-dates.ts";
import { RowCounts } from "./checks/row-counts.ts";
import { type UnexpectedColumns, unexpectedColumns } from "./checks/unexpected-columns.ts";
import { type DatasetInput, findInputs } from "./dataset-inputs.ts";
import type { SkippedFile } from "./folder.ts";
import { STAGED_COLUMNS } from "./layouts/layouts.ts";
import { type Profile, profileOf } from "./profile.ts";
import { compactDay } from "./read/plain-day.ts";
import { copyLines, type Reading } from "./staged-rows.ts";
import { REASONS, type Tally } from "./tally.ts";
import { fingerprintOf, hashOf, lastProfiles, unchangedSince } from "./unchanged.ts";

/** A file that was read into its staging table. */
export interface StagedFile {
  file: string;
  dataset: Dataset;
  rowsRead: number;
  /** Rows in the staging table. */
  kept: number;
  /** Rows left out because they equal an earlier row. */
  duplicates: number;
  /** Rows left out, by reason. */
  rejected: Record<string, number>;
  /** Values of kept rows that were corrected or dropped, by reason. */
  repaired: Record<string, number>;
  newestRowOn: string | null;
  /** Of the file on disk, maybe compressed. */
  sizeBytes: number;
  /** The SHA-256 of the file on disk, in hex; absent in reports of older programs. */
  sha256?: string;
  /** Unknown values of coded columns, with their number of rows; absent in reports of older programs. */
  unknownValues?: UnknownValues;
  /** The forms in which its date columns are written. */
  dates?: Record<string, OddDates>;
  /** The differences between its header and the documented one. */
  unexpected?: UnexpectedColumns;
}

/** A folder's rows in the staging tables. */
export interface StagedSet {
  files: StagedFile[];
  skipped: SkippedFile[];
  /** The newest day of a row, up to `today`, of each live dataset in the folder; null if there is none. */
  newestByDataset: Map<Dataset, string | null>;
  profiles: Map<Dataset, Profile>;
  /** The Motus files are daily differences. */
  isDifference: boolean;
  /** Datasets whose file is the same as in the last import: they are not staged. */
  unchanged: Set<Dataset>;
  /** The keys whose rows the daily differences remove, by dataset. */
  removalKeys: Map<Dataset, RemovalKey[]>;
}

export interface StageOptions {
  dir: string;
  /** The day the files are read for, YYYY-MM-DD. */
  today: string;
  /** The folder's Motus files are daily differences. */
  isDifference?: boolean;
  /** Leaves out legacy files with the same bytes as in the last import. */
  skipsUnchanged?: boolean;
  /** Called at most ten times a second, and at the end of each file. */
  onProgress?: (progress: { file: string; readBytes: number; sizeBytes: number; rows: number }) => void;
}

/** Live files with dates that do not give the registry's as-of day. */
const OTHER_DATED: readonly Dataset[] = ["census", "oos_order"];

/** The next file is read while the database writes one. More at once would only use more memory. */
const MOST_FILES_AT_ONCE = 2;

/**
 * Empties the staging tables and reads every registry file of a folder into them. Changes nothing else. Refusal for a
 * broken file, two files of one dataset, or a folder without registry files.
 */
export async function stageFolder(context: Context, options: StageOptions): Promise<StagedSet> {
  const { isDifference = false } = options;
  const { bulkPool } = context.db;
  const { inputs, skipped } = await withoutEarlyDifferences(
    context,
    isDifference,
    await findInputs(options.dir, isDifference),
  );
  await emptyStaging(bulkPool);
  // Largest first, so that no long file is left for the end.
  const waiting = [...inputs].sort((one, other) => other.file.sizeBytes - one.file.sizeBytes);
  const last = options.skipsUnchanged ? await lastProfiles(context) : new Map<Dataset, Profile>();
  const unchanged: StagedSet["unchanged"] = new Set();
  const removalKeys: StagedSet["removalKeys"] = new Map();
  const done = new Map<DatasetInput, { staged: StagedFile; profile: Profile }>();
  const failure = new AbortController();
  const inProgress: DatasetInput[] = [];
  const runWorker = async () => {
    const client = await bulkPool.connect();
    try {
      for (let input = waiting.shift(); input; input = waiting.shift()) {
        const current = input;
        inProgress.push(current);
        // The progress line shows the file that was started first.
        const isShown = () => inProgress[0] === current;
        const before = await unchangedSince(last, current, options.today);
        if (before?.file) {
          unchanged.add(current.layout.dataset);
          done.set(current, { staged: { ...before.file.staged, file: current.label }, profile: before });
        } else {
          const shared = { signal: failure.signal, isShown };
          const { removalKeys: keys, ...result } = await stageFile(context, client, current, options, shared);
          done.set(current, result);
          removalKeys.set(current.layout.dataset, keys);
        }
        inProgress.splice(inProgress.indexOf(current), 1);
      }
      client.release();
    } catch (error) {
      failure.abort(error);
      waiting.length = 0;
      // A COPY may be unfinished, so the connection is closed.
      client.release(true);
    }
  };
  // The importer itself may hold one connection of the pool.
  const workers = Math.max(1, Math.min(MOST_FILES_AT_ONCE, (bulkPool.options.max ?? 1) - 1));
  await Promise.all(Array.from({ length: workers }, runWorker));
  failure.signal.throwIfAborted();
  const results = inputs.flatMap((input) => done.get(input) ?? []);
  const files = results.map(({ staged }) => staged);
  const profiles: StagedSet["profiles"] = new Map(
    results.map(({ staged, profile }) => [staged.dataset, profile]),
  );
  const live = [...profiles].filter(([dataset]) => dataset in ROW_DAY || OTHER_DATED.includes(dataset));
  const newestByDataset = new Map(live.map(([dataset, { newestRowOn }]) => [dataset, newestRowOn]));
  return { files, skipped, newestByDataset, profiles, isDifference, unchanged, removalKeys };
}

/** Leaves out the daily difference of an optional file that was never imported whole: it would count as the whole file. */
async function withoutEarlyDifferences(
  context: Context,
  isDifference: boolean,
  { inputs, skipped }: Awaited<ReturnType<typeof findInputs>>,
): Promise<Awaited<ReturnType<typeof findInputs>>> {
  const isOptional = ({ layout: { dataset } }: DatasetInput) =>
    OPTIONAL_DATASETS.has(dataset) && isDifferenceOf({ isDifference }, dataset);
  if (!inputs.some(isOptional)) return { inputs, skipped };
  const known = new Set((await listSources(context)).map(({ dataset }) => dataset));
  const isEarly = (input: DatasetInput) => isOptional(input) && !known.has(input.layout.dataset);
  const early = inputs.filter(isEarly).map(({ label, layout }) => ({
    file: label,
    why: `a daily difference of ${layout.title}, which was never imported whole; import the whole file first`,
  }));
  return { inputs: inputs.filter((input) => !isEarly(input)), skipped: [...skipped, ...early] };
}

/** Empties all staging tables. */
export async function emptyStaging(client: Queryable): Promise<void> {
  await dynamic(client, `TRUNCATE ${DATASETS.map((dataset) => `staging.${dataset}`).join(", ")}`);
}

async function stageFile(
  context: Context,
  client: pg.ClientBase,
  input: DatasetInput,
  options: StageOptions,
  { signal, isShown }: { signal: AbortSignal; isShown: () => boolean },
): Promise<{ staged: StagedFile; profile: Profile; removalKeys: RemovalKey[] }> {
  const { label, file, layout } = input;
  const { dataset } = layout;
  const reading: Reading = {
    tally: { rejected: {}, repaired: {} },
    rowsRead: 0,
    duplicates: 0,
    readBytes: 0,
    sha256: createHash("sha256"),
    removalKeys: [],
    coded: new CodedValues(dataset),
    dates: {},
  };
  const { tableColumns } = layout.reader;
  const counts = new RowCounts(tableColumns, compactDay(options.today));
  const showProgress = progressOf(context, input, reading, options);
  const lines = async function* () {
    for await (const block of linesOf(input, reading, counts, options)) {
      if (block.length > 0) yield block;
      if (isShown()) showProgress(false);
    }
  };
  // A block holds thousands of rows, so a short queue is enough.
  const rows = Readable.from(lines(), { highWaterMark: 2 });
  // COPY FREEZE needs a TRUNCATE in the same transaction.
  await begin(client);
  await dynamic(client, `TRUNCATE staging.${dataset}`);
  const copy = copyFrom(client, `COPY staging.${dataset} (${STAGED_COLUMNS[dataset]}) FROM STDIN (FREEZE)`);
  await pipeline(rows, copy, { signal });
  showProgress(true);
  await commit(client);
  const profile = profileOf(dataset, tableColumns, counts);
  const { rowsRead, duplicates, tally, coded, dates, removalKeys } = reading;
  const sha256 = input.kind === "csv" ? reading.sha256.digest("hex") : await hashOf(file.path);
  const staged: StagedFile = {
    file: label,
    dataset,
    rowsRead,
    kept: profile.rows,
    duplicates,
    ...tally,
    newestRowOn: profile.newestRowOn,
    sizeBytes: file.sizeBytes,
    sha256,
    unknownValues: coded.unknown,
    dates,
    unexpected: unexpectedColumns(input),
  };
  Object.assign(profile, {
    sha256,
    unknownValues: coded.unknown,
    meanings: coded.meanings,
    rowsRead,
    dates,
    rejected: withoutDocket(tally),
  });
  const fingerprint = fingerprintOf(dataset, options.today, sha256);
  if (fingerprint && input.kind === "csv") profile.file = { fingerprint, staged };
  return { staged, profile, removalKeys };
}

function linesOf(
  input: DatasetInput,
  reading: Reading,
  counts: RowCounts,
  { today, isDifference = false }: StageOptions,
): AsyncIterable<Buffer> {
  const { layout } = input;
  // The difference of a day without changes has no rows. JSON without rows was checked when it was recognised.
  const mayBeEmpty = input.kind === "json" || (isDifference && layout.differenceId !== undefined);
  return copyLines(
    input,
    (at) => {
      const { tally, coded, removalKeys } = reading;
      const dates = new FileDates(layout.dataset, at, tally);
      reading.dates = dates.byColumn;
      return layout.reader.open(at, { today, tally, isDifference, coded, dates, removalKeys });
    },
    reading,
    counts,
    mayBeEmpty,
  );
}

/** How many rows were left out, by reason, and kept without a docket. Both may show that the file changed. */
const withoutDocket = ({ rejected, repaired }: Tally): Record<string, number> => ({
  ...rejected,
  [REASONS.noDocket]: repaired[REASONS.noDocket] ?? 0,
});

const PROGRESS_EVERY_MS = 100;

function progressOf(
  context: Context,
  { label, file }: DatasetInput,
  reading: Reading,
  { onProgress = () => {} }: StageOptions,
): (isDone: boolean) => void {
  let shownAtMs = Number.NEGATIVE_INFINITY;
  return (isDone) => {
    const nowMs = context.clock.now().getTime();
    if (!isDone && nowMs - shownAtMs < PROGRESS_EVERY_MS) return;
    shownAtMs = nowMs;
    const { readBytes, rowsRead } = reading;
    onProgress({ file: label, readBytes, sizeBytes: file.sizeBytes, rows: rowsRead });
  };
}
