import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type pg from "pg";
import type { Context } from "../../platform/context.ts";
import { copyFrom } from "../../platform/database/copy.ts";
import { dynamic, type Queryable } from "../../platform/database/statement.ts";
import { begin, commit } from "../../platform/database/transaction.ts";
import {
  DATASETS,
  type Dataset,
  isDifferenceOf,
  isLegacy,
  OPTIONAL_DATASETS,
} from "../../registry/datasets.ts";
import { listSources } from "../../registry/sources.ts";
import { stagedColumns } from "../official/official-files.ts";
import { type DatasetInput, findInputs } from "../recognise/dataset-inputs.ts";
import type { OfficialFile } from "../rows/official-file.ts";
import { ReadingThread } from "./reading-thread.ts";
import { type ReadBlock, type ReadFindings, readInput } from "./stage-file.ts";
import type { Profile, StagedFile, StagedSet } from "./staged-set.ts";
import { lastProfiles, unchangedSince } from "./unchanged.ts";

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

/**
 * Empties the staging tables and reads every registry file of a folder into them. Changes nothing else. Refusal for a
 * broken file, two files of one dataset, or a folder without registry files.
 */
export async function stageFolder(context: Context, options: StageOptions): Promise<StagedSet> {
  const { isDifference = false } = options;
  const found = await findInputs(options.dir, isDifference);
  const { inputs, skipped } = await withoutEarlyDifferences(context, isDifference, found);
  await emptyStaging(context.db.bulkPool);
  const done = await stageInputs(context, inputs, options);
  const results = inputs.flatMap((input) => done.get(input) ?? []);
  // The files whose day the checks of their age compare.
  const live = results.filter(({ official }) => official.dated && !isLegacy(official.dataset));
  return {
    files: results.map(({ staged }) => staged),
    skipped,
    newestByDataset: new Map(live.map(({ official, profile }) => [official.dataset, profile.newestRowOn])),
    profiles: new Map(results.map(({ official, profile }) => [official.dataset, profile])),
    isDifference,
    unchanged: new Set(
      results.filter((result) => result.isUnchanged).map(({ official }) => official.dataset),
    ),
    oddRows: new Map(results.map(({ official, oddRows }) => [official.dataset, oddRows])),
    removalKeys: new Map(results.map(({ official, removalKeys }) => [official.dataset, removalKeys])),
  };
}

interface StagedInput extends ReadFindings {
  official: OfficialFile;
  /** The file is the same as in the last import, so it was not read. */
  isUnchanged: boolean;
}

/** Reads each input into its staging table. The first failure ends the others. */
async function stageInputs(
  context: Context,
  inputs: readonly DatasetInput[],
  options: StageOptions,
): Promise<Map<DatasetInput, StagedInput>> {
  const { bulkPool } = context.db;
  const last = options.skipsUnchanged ? await lastProfiles(context) : new Map<Dataset, Profile>();
  // Largest first, so that no long file is left for the end.
  const waiting = [...inputs].sort((one, other) => other.file.sizeBytes - one.file.sizeBytes);
  const done = new Map<DatasetInput, StagedInput>();
  const failure = new AbortController();
  const inProgress: DatasetInput[] = [];
  const stageWaiting = async (read: typeof readInput) => {
    let client: pg.PoolClient | undefined;
    try {
      client = await bulkPool.connect();
      for (let input = waiting.shift(); input; input = waiting.shift()) {
        const current = input;
        inProgress.push(current);
        // The progress line shows the file that was started first.
        const shared = { signal: failure.signal, isShown: () => inProgress[0] === current };
        const before = await unchangedSince(last, current, options.today);
        done.set(
          current,
          before
            ? unchangedInput(current, before)
            : await stageFile(context, client, read, current, options, shared),
        );
        inProgress.splice(inProgress.indexOf(current), 1);
      }
      client.release();
    } catch (error) {
      failure.abort(error);
      waiting.length = 0;
      // A COPY may be unfinished, so the connection is closed.
      client?.release(true);
    }
  };
  const thread = new ReadingThread();
  // The database writes two files at a time, of which this thread reads one. Further files or threads would only use more
  // memory and processor time.
  const readers: (typeof readInput)[] = [(...input) => thread.read(...input), readInput];
  // The importer itself may hold one connection of the pool.
  const atOnce = Math.max(1, (bulkPool.options.max ?? 1) - 1);
  await Promise.all(readers.slice(0, atOnce).map(stageWaiting)).finally(() => thread.end());
  failure.signal.throwIfAborted();
  return done;
}

const unchangedInput = (
  { official, label, file: { noted } }: DatasetInput,
  { profile, staged: { noted: _, ...staged } }: { profile: Profile; staged: StagedFile },
): StagedInput => ({
  official,
  staged: { ...staged, file: label, ...(noted ? { noted } : {}) },
  profile,
  removalKeys: [],
  oddRows: { usdots: [], dockets: [] },
  isUnchanged: true,
});

async function stageFile(
  context: Context,
  client: pg.ClientBase,
  read: typeof readInput,
  input: DatasetInput,
  options: StageOptions,
  { signal, isShown }: { signal: AbortSignal; isShown: () => boolean },
): Promise<StagedInput> {
  const { official } = input;
  const { dataset } = official;
  const showProgress = progressOf(context, input, options);
  let latest: ReadBlock = { lines: new Uint8Array(), readBytes: 0, rowsRead: 0 };
  const lines = async function* () {
    for await (latest of read(input, options.today, options.isDifference ?? false)) {
      if (latest.lines.length > 0) yield latest.lines;
      if (isShown()) showProgress(latest, false);
    }
  };
  // A block holds thousands of rows, so a short queue is enough.
  const rows = Readable.from(lines(), { highWaterMark: 2 });
  // COPY FREEZE needs a TRUNCATE in the same transaction.
  await begin(client);
  await dynamic(client, `TRUNCATE staging.${dataset}`);
  const copy = copyFrom(client, `COPY staging.${dataset} (${stagedColumns(dataset)}) FROM STDIN (FREEZE)`);
  await pipeline(rows, copy, { signal });
  showProgress(latest, true);
  await commit(client);
  return { official, ...(latest.findings as ReadFindings), isUnchanged: false };
}

/** Leaves out the daily difference of an optional file that was never imported whole: it would count as the whole file. */
async function withoutEarlyDifferences(
  context: Context,
  isDifference: boolean,
  { inputs, skipped }: Awaited<ReturnType<typeof findInputs>>,
): Promise<Awaited<ReturnType<typeof findInputs>>> {
  const isOptional = ({ official: { dataset } }: DatasetInput) =>
    OPTIONAL_DATASETS.has(dataset) && isDifferenceOf({ isDifference }, dataset);
  if (!inputs.some(isOptional)) return { inputs, skipped };
  const known = new Set((await listSources(context)).map(({ dataset }) => dataset));
  const isEarly = (input: DatasetInput) => isOptional(input) && !known.has(input.official.dataset);
  const early = inputs.filter(isEarly).map(({ label, official }) => ({
    file: label,
    why: `a daily difference of ${official.title}, which was never imported whole; import the whole file first`,
  }));
  return { inputs: inputs.filter((input) => !isEarly(input)), skipped: [...skipped, ...early] };
}

/** Empties all staging tables. */
export async function emptyStaging(client: Queryable): Promise<void> {
  await dynamic(client, `TRUNCATE ${DATASETS.map((dataset) => `staging.${dataset}`).join(", ")}`);
}

const PROGRESS_EVERY_MS = 100;

function progressOf(
  context: Context,
  { label, file }: DatasetInput,
  { onProgress = () => {} }: StageOptions,
): (read: ReadBlock, isDone: boolean) => void {
  let shownAtMs = Number.NEGATIVE_INFINITY;
  return ({ readBytes, rowsRead }, isDone) => {
    const nowMs = context.clock.now().getTime();
    if (!isDone && nowMs - shownAtMs < PROGRESS_EVERY_MS) return;
    shownAtMs = nowMs;
    onProgress({ file: label, readBytes, sizeBytes: file.sizeBytes, rows: rowsRead });
  };
}
