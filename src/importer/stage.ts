import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type pg from "pg";
import { from as copyFrom } from "pg-copy-streams";
import { DATASETS, type Dataset } from "../carriers/datasets.ts";
import { ROW_DAY } from "../carriers/sources.ts";
import type { Context } from "../platform/context.ts";
import type { SkippedFile } from "./folder.ts";
import { type Profile, profileOf } from "./profile.ts";
import { findSources, type Source } from "./registry-sources.ts";
import { copyLines, type Reading } from "./staged-rows.ts";

/** A file that was read into its staging table. */
export interface StagedFile {
  file: string;
  dataset: Dataset;
  rowsRead: number;
  /** Rows that stand in the staging table. */
  kept: number;
  /** Rows that repeated an earlier one whole. */
  duplicates: number;
  /** Rows left out, by reason. */
  rejected: Record<string, number>;
  /** Values of kept rows that were not taken as they stood, by reason. */
  repaired: Record<string, number>;
  newestRowOn: string | null;
  /** As it lies on the disk. */
  sizeBytes: number;
}

/** A folder's rows in the staging tables. */
export interface StagedSet {
  files: StagedFile[];
  skipped: SkippedFile[];
  /** For each live dataset in the folder the newest day of a row that is not after `today`; null for none. */
  newestByDataset: Map<Dataset, string | null>;
  profiles: Map<Dataset, Profile>;
  /** The Motus files are daily differences. */
  isDifference: boolean;
}

export interface StageOptions {
  dir: string;
  /** The day the files are read for, YYYY-MM-DD. */
  today: string;
  /** The folder's Motus files are daily differences. */
  isDifference?: boolean;
  /** Called at most ten times a second, and at the end of each file. */
  onProgress?: (progress: { file: string; readBytes: number; sizeBytes: number; rows: number }) => void;
}

/**
 * Reads every registry file of a folder into the staging tables, whatever stood there before. Changes nothing else.
 * Refusal for a broken file, two files of one dataset, or a folder without any.
 */
export async function stageFolder(context: Context, options: StageOptions): Promise<StagedSet> {
  const { isDifference = false } = options;
  const { sources, skipped } = await findSources(options.dir, isDifference);
  const client = await context.db.bulkPool.connect();
  try {
    await client.query(`TRUNCATE ${DATASETS.map((dataset) => `staging.${dataset}`).join(", ")}`);
    const files: StagedFile[] = [];
    const profiles: StagedSet["profiles"] = new Map();
    for (const source of sources) {
      const { staged, profile } = await stageFile(context, client, source, options);
      files.push(staged);
      profiles.set(staged.dataset, profile);
    }
    client.release();
    const live = [...profiles].filter(([dataset]) => dataset in ROW_DAY);
    const newestByDataset = new Map(live.map(([dataset, { newestRowOn }]) => [dataset, newestRowOn]));
    return { files, skipped, newestByDataset, profiles, isDifference };
  } catch (error) {
    // A COPY may have been left half way, so the connection is not used again.
    client.release(true);
    throw error;
  }
}

async function stageFile(
  context: Context,
  client: pg.ClientBase,
  source: Source,
  options: StageOptions,
): Promise<{ staged: StagedFile; profile: Profile }> {
  const { label, file, layout } = source;
  const reading: Reading = {
    tally: { rejected: {}, repaired: {} },
    rowsRead: 0,
    duplicates: 0,
    readBytes: 0,
  };
  const showProgress = progressOf(context, source, reading, options);
  const lines = async function* () {
    for await (const block of linesOf(source, reading, options)) {
      if (block.length > 0) yield block;
      showProgress(false);
    }
  };
  // A block holds thousands of rows: a few of them waiting are enough.
  const rows = Readable.from(lines(), { highWaterMark: 2 });
  await pipeline(rows, client.query(copyFrom(`COPY staging.${layout.dataset} FROM STDIN`)));
  showProgress(true);
  const profile = await profileOf(client, layout.dataset, options.today);
  const { rowsRead, duplicates, tally } = reading;
  return {
    profile,
    staged: {
      ...{ file: label, dataset: layout.dataset, rowsRead, kept: profile.rows, duplicates, ...tally },
      ...{ newestRowOn: profile.newestRowOn, sizeBytes: file.sizeBytes },
    },
  };
}

function linesOf(
  source: Source,
  reading: Reading,
  { today, isDifference = false }: StageOptions,
): AsyncIterable<Buffer> {
  const { layout } = source;
  // A day without changes has a difference without rows; JSON without rows has been judged where it was recognised.
  const mayBeEmpty = source.kind === "json" || (isDifference && layout.differenceId !== undefined);
  return copyLines(
    source,
    (at) => layout.readerOf(at, { today, tally: reading.tally, isDifference }),
    reading,
    mayBeEmpty,
  );
}

const PROGRESS_EVERY_MS = 100;

function progressOf(
  context: Context,
  { label, file }: Source,
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
