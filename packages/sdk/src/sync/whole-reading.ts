import type { Connection } from "../call.ts";
import { TruckingDataFeedError, VersionEndedError } from "../errors.ts";
import { openExport } from "../export.ts";
import type { FeedCode } from "../feeds.ts";
import type { Checkpoint } from "../generated/operations/types.gen.ts";
import type { PageOptions } from "../pages.ts";
import { listRecords } from "../records.ts";
import type { Copy, CopyFacts } from "./local-copy.ts";

/** All records of a version. */
export interface WholeReading {
  copy: Copy;
  checkpoint: Checkpoint | null;
}

type Filters = CopyFacts["filters"];

/** The key may take no export, or none now. */
const NO_EXPORT: readonly string[] = ["insufficient_scope", "too_many_exports"];

/**
 * All records that match, from an export: its rows cost nothing more when it is taken again. By pages, which do, when the key
 * may take none. Null when the version ended, or an export can't go on, because something changed meanwhile.
 */
export async function readWhole(
  connection: Connection,
  feed: FeedCode,
  filters: Filters,
  options: PageOptions,
): Promise<WholeReading | null> {
  try {
    return (
      (await readExport(connection, feed, filters, options)) ??
      (await readPages(connection, feed, filters, options))
    );
  } catch (error) {
    if (!(error instanceof TruckingDataFeedError)) throw error;
    if (error instanceof VersionEndedError || error.code === "export_changed") return null;
    throw error;
  }
}

/** Null when there is none for the key, or a proxy keeps its headers back. */
async function readExport(
  connection: Connection,
  feed: FeedCode,
  filters: Filters,
  { pageSize: _, ...options }: PageOptions,
): Promise<WholeReading | null> {
  const opening = openExport(connection, feed, filters, { ...options, format: "ndjson" });
  const opened = await opening.catch((error: unknown) => {
    if (error instanceof TruckingDataFeedError && NO_EXPORT.includes(error.code)) return null;
    throw error;
  });
  if (opened === null) return null;
  const { body, checkpoint, days, records } = opened.data;
  if (checkpoint === null) {
    await body.cancel();
    return null;
  }
  const { version, removals } = checkpoint;
  const facts = { feed, filters, version, removals: removals ?? undefined, asOf: days.as_of };
  const copy: Copy = { ...facts, records: new Map() };
  for await (const record of records()) copy.records.set(record.record_id, { ...record });
  return { copy, checkpoint };
}

async function readPages(
  connection: Connection,
  feed: FeedCode,
  filters: Filters,
  options: PageOptions,
): Promise<WholeReading> {
  const copy: Copy = { feed, filters, version: 0, asOf: null, records: new Map() };
  let checkpoint: Checkpoint | null = null;
  for await (const { data, meta, as_of } of listRecords(connection, feed, filters, options).pages()) {
    for (const record of data)
      copy.records.set(String((record as { record_id?: unknown }).record_id), { ...record });
    copy.version = meta.version;
    copy.asOf = as_of;
    checkpoint = meta.checkpoint ?? null;
    copy.removals = checkpoint?.removals ?? undefined;
  }
  return { copy, checkpoint };
}
