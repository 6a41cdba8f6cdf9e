// Streaming a whole feed as CSV: the same checks as a page, its rows reserved before the first byte.
import { create as contentDisposition } from "content-disposition";
import type { Caller } from "../accounts/caller.ts";
import { chargeRows, refundRows } from "../accounts/quota.ts";
import type { Context } from "../platform/context.ts";
import { CsvRowWriter, csvHeader, csvRowEnd } from "./csv.ts";
import { requireEntitled } from "./entitlement.ts";
import { etagOf, matchesEtag } from "./etag.ts";
import { openExportFile } from "./export-file.ts";
import { takeExportSlot } from "./export-slots.ts";
import { ExportStream } from "./export-stream.ts";
import type { FeedVersion } from "./feed-version.ts";
import { parseFilters } from "./filters.ts";
import { requireFresh } from "./freshness.ts";
import { keptRowsOf } from "./kept-rows.ts";
import type { FeedQuery } from "./records.ts";
import { latestRemovals } from "./removals.ts";
import { type Selection, selectionOf } from "./selection.ts";
import { onVersion } from "./versions.ts";

export type ExportAnswer =
  | {
      status: 200;
      headers: { ETag: string; "Content-Disposition": string; "X-Licence-Reference": string };
      /** Destroy it when it is not read to its end, so that the rows are given back. */
      body: ExportStream;
    }
  | { status: 304; headers: { ETag: string }; body: null };

export interface ExportOptions {
  /** A reader that takes no piece (256 KiB) for so long is cut; 30 s unless given. */
  stallMs?: number;
  /** How long what is removed is taken for known while the export runs; 250 ms unless given. */
  removalsGoodForMs?: number;
}

const STALL_MS = 30_000;
const REMOVALS_GOOD_FOR_MS = 250;

/**
 * A whole feed as CSV, its exact number of rows charged before the first byte; those that a broken connection did not
 * take, and those that are removed while it runs, are given back. ProblemErrors as for a page, and rate_limited when the key has two exports running.
 */
export async function exportFeed(
  context: Context,
  caller: Caller,
  feedCode: string,
  query: FeedQuery,
  options: ExportOptions = {},
): Promise<ExportAnswer> {
  const { feed, regions: planRegions } = requireEntitled(caller, feedCode);
  return onVersion(context, feed, query.version, async (version) => {
    const filter = parseFilters(feed, query.filters, "exportFeed");
    const selection = selectionOf(filter, { asOf: version.asOf, planRegions, since: query.since });
    requireFresh(context, feed, version.asOf);
    const ETag = etagOf(version, ["csv", selection.key, caller.licenceRef]);
    if (matchesEtag(query.ifNoneMatch, ETag)) return { status: 304, headers: { ETag }, body: null };
    const headers = {
      ETag,
      "Content-Disposition": contentDisposition(`${feed.code}_${version.asOf}.csv`),
      "X-Licence-Reference": caller.licenceRef,
    };
    const body = await openStream(context, caller, version, selection, options);
    return { status: 200, headers, body };
  });
}

async function openStream(
  context: Context,
  caller: Caller,
  version: FeedVersion,
  selection: Selection,
  { stallMs = STALL_MS, removalsGoodForMs = REMOVALS_GOOD_FOR_MS }: ExportOptions,
): Promise<ExportStream> {
  const rowEnd = csvRowEnd(caller.licenceRef);
  const leaveSlot = takeExportSlot(context, caller);
  try {
    const kept = await keptRowsOf(context, version, selection);
    const rows = kept.count;
    const file = await openExportFile(context, version);
    const chargedAt = context.clock.now();
    try {
      await chargeRows(context, caller, "export", rows);
    } catch (error) {
      await file.close();
      throw error;
    }
    const onOver = async (rowsTaken: number): Promise<void> => {
      leaveSlot();
      context.metrics.rowsServed.inc({ feed: version.feed.code, form: "csv" }, rowsTaken);
      await giveBack(context, caller, rows - rowsTaken, chargedAt);
    };
    const header = Buffer.from(csvHeader(version.feed.columns));
    const source = {
      ...{ file, writer: new CsvRowWriter(rowEnd, kept), header, rows },
      latestRemovals: async () => (await latestRemovals(context, version)).positions,
    };
    return new ExportStream(source, { stallMs, removalsGoodForMs, onOver });
  } catch (error) {
    leaveSlot();
    throw error;
  }
}

async function giveBack(context: Context, caller: Caller, rows: number, chargedAt: Date): Promise<void> {
  try {
    await refundRows(context, caller, "export", rows, chargedAt);
  } catch (err) {
    context.log.error(
      { err, accountId: caller.accountId, rows },
      "Rows that an export did not deliver could not be given back to the account's quota.",
    );
  }
}
