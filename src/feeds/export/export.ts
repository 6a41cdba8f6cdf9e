// Streaming a whole feed as CSV, with the same checks as a page.
import { hash } from "node:crypto";
import { Readable } from "node:stream";
import { create as contentDisposition } from "content-disposition";
import {
  beginExport,
  chargeExport,
  type ExportRun,
  endExport,
  tellExportCost,
} from "../../accounts/exports/export-runs.ts";
import { EXPORT_SLOT_SECONDS } from "../../accounts/exports/export-slots.ts";
import type { Caller } from "../../accounts/keys/caller.ts";
import type { Context } from "../../platform/context.ts";
import { requireEntitled } from "../entitlement.ts";
import { etagOf, matchesEtag } from "../records/etag.ts";
import { parseFilters } from "../records/filters.ts";
import { requireFresh } from "../records/freshness.ts";
import type { FeedQuery } from "../records/records.ts";
import { latestRemovals } from "../records/removals.ts";
import { type Selection, selectionOf } from "../records/selection.ts";
import { visibleRowsOf } from "../records/visible-rows.ts";
import type { FeedVersion } from "../versions/feed-version.ts";
import { onVersion } from "../versions/versions.ts";
import { CsvRowWriter, csvHeader, csvRowEnd } from "./csv.ts";
import { openExportFile } from "./export-file.ts";
import { ExportStream } from "./export-stream.ts";

export type ExportAnswer =
  | {
      status: 200;
      headers: { ETag: string; "Content-Disposition": string; "X-Licence-Reference": string };
      /** Destroy it when it is not read to its end, so that unread rows are refunded. Empty for HEAD. */
      body: Readable;
    }
  | { status: 304; headers: { ETag: string }; body: null };

export interface ExportOptions {
  /** Maximum age of the removal list during an export (ms); 250 unless given. */
  removalsGoodForMs?: number;
}

const REMOVALS_GOOD_FOR_MS = 250;

/**
 * A whole feed as CSV. Its exact number of rows is charged before the first byte, once a month for the same content. Rows
 * that a broken connection did not take or that are removed during the export are refunded. ProblemErrors as for a page,
 * and too_many_exports when the key runs as many exports as its plan allows.
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
    const asked = parseFilters(feed, query.filters, "exportFeed");
    const selection = selectionOf(feed, asked, { asOf: version.asOf, planRegions, since: query.since });
    requireFresh(context, feed, version.asOf);
    const ETag = etagOf(version, ["csv", selection.key, caller.licenceRef]);
    if (matchesEtag(query.ifNoneMatch, ETag)) return { status: 304, headers: { ETag }, body: null };
    const headers = {
      ETag,
      "Content-Disposition": contentDisposition(`${feed.code}_${version.asOf}.csv`),
      "X-Licence-Reference": caller.licenceRef,
    };
    if (caller.isHead) {
      const visible = await visibleRowsOf(context, version, selection);
      await tellExportCost(context, caller, contentOf(version, selection), visible.count);
      return { status: 200, headers, body: Readable.from([]) };
    }
    return { status: 200, headers, body: await openStream(context, caller, version, selection, options) };
  });
}

async function openStream(
  context: Context,
  caller: Caller,
  version: FeedVersion,
  selection: Selection,
  { removalsGoodForMs = REMOVALS_GOOD_FOR_MS }: ExportOptions,
): Promise<ExportStream> {
  const rowEnd = csvRowEnd(caller.licenceRef, version.columns.missing.length);
  const run = await beginExport(context, caller, contentOf(version, selection));
  try {
    const visible = await visibleRowsOf(context, version, selection);
    const rows = visible.count;
    const file = await openExportFile(context, version);
    try {
      await chargeExport(context, run, rows);
    } catch (error) {
      await file.close();
      throw error;
    }
    const onOver = async (rowsTaken: number): Promise<void> => {
      context.metrics.rowsServed.inc({ feed: version.feed.code, form: "csv" }, rowsTaken);
      await end(context, run, rowsTaken);
    };
    const header = Buffer.from(csvHeader(version.columns.names));
    const source = {
      file,
      writer: new CsvRowWriter(rowEnd, visible),
      header,
      rows,
      latestRemovals: async () => (await latestRemovals(context, version)).positions,
    };
    return new ExportStream(source, { removalsGoodForMs, onOver });
  } catch (error) {
    await end(context, run, 0);
    throw error;
  }
}

/** The key of the content that an account pays for once a month: these rows of this version. */
const contentOf = ({ id, publishedAtMs, feed }: FeedVersion, { key }: Selection): string =>
  hash("sha256", JSON.stringify([feed.code, id, publishedAtMs, key]), "base64url");

async function end(context: Context, run: ExportRun, deliveredRows: number): Promise<void> {
  try {
    await endExport(context, run, deliveredRows);
  } catch (err) {
    const { accountId } = run.caller;
    context.log.error(
      { err, accountId, deliveredRows, slotFreeInSeconds: EXPORT_SLOT_SECONDS },
      "The end of an export could not be recorded. Rows that it did not deliver stay charged.",
    );
  }
}
