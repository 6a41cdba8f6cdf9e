// A whole feed as one file, with the same checks as a page.
import { Readable } from "node:stream";
import { create as contentDisposition } from "content-disposition";
import type { RowsByState } from "../../accounts/exports/charge.ts";
import {
  beginExport,
  chargeExport,
  EXPORT_SLOT_SECONDS,
  type ExportRun,
  endExport,
  isPaidInPart,
  tellExportCost,
} from "../../accounts/exports/export-runs.ts";
import type { Caller } from "../../accounts/keys/caller.ts";
import { rowsLeft } from "../../accounts/usage/quota.ts";
import type { Context } from "../../platform/context.ts";
import { ProblemError } from "../../platform/http/problem.ts";
import { verifiedOn } from "../../registry/datasets.ts";
import { requireEntitled, requireFresh } from "../entitlement.ts";
import { checkpointOf, etagOf, matchesEtag, removalsNumber } from "../records/checkpoint.ts";
import { type Fields, fieldsOf } from "../records/fields.ts";
import { parseFilters } from "../records/filters.ts";
import type { FeedQuery } from "../records/records.ts";
import { type Selection, selectionOf } from "../records/selection.ts";
import { type VisibleRows, visibleRowsOf } from "../records/visible-rows.ts";
import type { FeedVersion } from "../versions/feed-version.ts";
import { onVersion } from "../versions/versions.ts";
import { meetsIfMatch, partOf } from "./byte-range.ts";
import { type ExportPrice, priceOf } from "./export-price.ts";
import { ExportStream } from "./export-stream.ts";
import { type ExportFormat, OPERATIONS } from "./format.ts";
import { type OpenedExport, openLines, openParquet, withNewestRows } from "./opened-export.ts";
import { findParquetBytes } from "./parquet-file.ts";
import { PARQUET_FORM } from "./parquet-form.ts";

/** The headers of an export or a part of it. */
interface ExportHeaders {
  ETag: string;
  "Accept-Ranges": string;
  "Content-Disposition": string;
  "X-Licence-Reference": string;
  "X-Row-Count": string;
  "X-Checkpoint-Version": string;
  "X-Checkpoint-Digest"?: string;
  "X-Checkpoint-Removals": string;
  "X-As-Of": string;
  "X-Verified-On-Motus": string;
  "X-Verified-On-Legacy": string;
  "Content-Length"?: string;
}

export type ExportAnswer =
  | {
      status: 200;
      headers: ExportHeaders;
      /** Destroy it when it is not read to its end, so that unread rows are refunded. Empty for HEAD. */
      body: Readable;
    }
  | { status: 206; headers: ExportHeaders & { "Content-Range": string }; body: Readable }
  | { status: 304; headers: { ETag: string }; body: null };

/** A feed, and what of its export the client has or wants. */
export interface ExportQuery extends FeedQuery {
  ifMatch?: string;
  range?: string;
  ifRange?: string;
}

export interface ExportOptions {
  /** CSV unless given. */
  format?: ExportFormat;
  /** Maximum age of the removal list during an export (ms); 250 unless given. */
  removalsGoodForMs?: number;
}

const REMOVALS_GOOD_FOR_MS = 250;

/** An export that was asked for and may be read. */
interface Asked {
  caller: Caller;
  version: FeedVersion;
  selection: Selection;
  visible: VisibleRows;
  price: ExportPrice;
  fields: Fields | null;
  format: ExportFormat;
  query: ExportQuery;
  headers: ExportHeaders;
  removalsGoodForMs: number;
}

/**
 * A whole feed as a file, or the part that `range` asks for. Its rows are charged before the first byte, of a part the
 * rows up to its last byte, and once a month for the same content in any format. Rows that a broken connection did not
 * take or that are removed during the export are refunded. ProblemErrors as for a page; export_changed when `ifMatch` is
 * not its tag, range_not_satisfiable when the range begins behind its end, and too_many_exports when the key runs as many
 * exports as its plan allows.
 */
export async function exportFeed(
  context: Context,
  caller: Caller,
  feedCode: string,
  query: ExportQuery,
  { format = "csv", removalsGoodForMs = REMOVALS_GOOD_FOR_MS }: ExportOptions = {},
): Promise<ExportAnswer> {
  const { feed, regions: planRegions } = requireEntitled(caller, feedCode);
  const answer = async (version: FeedVersion): Promise<ExportAnswer> => {
    const filters = parseFilters(feed, query.filters, OPERATIONS[format]);
    const select = (states: typeof planRegions): Selection =>
      selectionOf(feed, filters, { asOf: version.asOf, planRegions: states, since: query.since });
    const selection = select(planRegions);
    const fields = fieldsOf(version, query.fields);
    requireFresh(context, feed, version.asOf);
    const ETag = tagOf(caller, { version, selection, fields, format });
    if (!meetsIfMatch(query.ifMatch, ETag)) throw changedSince();
    if (matchesEtag(query.ifNoneMatch, ETag)) return { status: 304, headers: { ETag }, body: null };
    const visible = await visibleRowsOf(context, version, selection);
    const price = await priceOf(context, version, select(null), visible);
    const checkpoint = await checkpointOf(context, caller, version, selection);
    const { motus, legacy } = verifiedOn(version.asOf);
    const headers: ExportHeaders = {
      ETag,
      "Accept-Ranges": "bytes",
      "Content-Disposition": contentDisposition(`${feed.code}_${version.asOf}.${format}`),
      "X-Licence-Reference": caller.licenceRef,
      "X-Row-Count": String(visible.count),
      "X-Checkpoint-Version": String(version.id),
      ...(checkpoint && { "X-Checkpoint-Digest": checkpoint.digest }),
      "X-Checkpoint-Removals": String(removalsNumber(caller, version)),
      "X-As-Of": version.asOf,
      "X-Verified-On-Motus": motus,
      "X-Verified-On-Legacy": legacy,
    };
    const rows = { version, selection, visible, fields, price };
    const asked = { ...rows, caller, format, query, headers, removalsGoodForMs };
    return caller.isHead ? describe(context, asked) : send(context, asked);
  };
  // The bytes of a version that has gone are no longer those of the tag.
  const problem = query.ifMatch === undefined ? "invalid_filter" : "export_changed";
  return withNewestRows((isAgain) =>
    onVersion(context, feed, query.version, answer, { caller: isAgain ? undefined : caller, problem }),
  );
}

/** Increased when a release makes other bytes of the same rows. */
const FORMS: Record<ExportFormat, string> = { csv: "csv", ndjson: "ndjson", parquet: PARQUET_FORM };

// A row that is removed while a file is read is left out of it. If its removal is undone, the file has another tag than
// before, since the key of a version's removals changes then too: so nobody continues a file that lacks the row.
const tagOf = (
  { licenceRef }: Caller,
  { version, selection, fields, format }: Pick<Asked, "version" | "selection" | "fields" | "format">,
): string =>
  etagOf(version, [
    FORMS[format],
    selection.key,
    ...(format === "csv" ? [licenceRef] : []),
    ...(fields === null ? [] : [fields.names]),
  ]);

const changedSince = (): ProblemError => {
  const why = "A new version was published, or a business was removed. Fetch it again from its first byte.";
  return new ProblemError("export_changed", `The export is no longer the one of If-Match. ${why}`);
};

/** The answer to HEAD: free, with what GET would cost. */
async function describe(context: Context, asked: Asked): Promise<ExportAnswer> {
  const { caller, price, headers } = asked;
  await tellExportCost(context, caller, price.content, price.rows);
  const sizeBytes = await knownSize(context, asked);
  const length = sizeBytes === null ? {} : { "Content-Length": String(sizeBytes) };
  return { status: 200, headers: { ...headers, ...length }, body: Readable.from([]) };
}

/** The size of the whole file; null where to know it takes a read of all rows: a Parquet file not made yet, cut rows. */
async function knownSize(context: Context, asked: Asked): Promise<number | null> {
  const { version, selection, fields, format } = asked;
  if (fields !== null) return null;
  if (format === "parquet") return findParquetBytes(context, version, selection.key);
  const opened = await open(context, asked);
  try {
    return await opened.sizeBytes();
  } finally {
    await opened.close();
  }
}

const open = (
  context: Context,
  { caller: { licenceRef }, version, visible, selection, fields, format }: Asked,
): Promise<OpenedExport> =>
  format === "parquet"
    ? openParquet(context, version, visible, selection.key)
    : openLines(context, version, visible, { format, licenceRef, fields });

async function send(context: Context, asked: Asked): Promise<ExportAnswer> {
  const { caller, version, price, format, query, headers } = asked;
  const run = await beginExport(context, caller, price.content);
  try {
    if (format === "parquet") await requireQuotaToMake(context, run, asked);
    const opened = await open(context, asked);
    try {
      const part = await partOf(query, headers.ETag, () => opened.sizeBytes());
      const { source, rowsBefore, rowsUntil, leftOut } = await opened.read(part?.range ?? null, asked);
      // A part counts the rows before it too: who has its bytes can have those.
      const upTo = (count: number) => price.firstRows(count, leftOut);
      const rows = part ? upTo(rowsUntil) : price.rows;
      await chargeExport(context, run, { rows, before: upTo(rowsBefore) });
      const onOver = async (taken: { rows: number; bytes: number }): Promise<void> => {
        context.metrics.rowsServed.inc({ feed: version.feed.code, form: format }, taken.rows);
        await end(context, run, upTo(taken.bytes === 0 ? 0 : rowsBefore + taken.rows));
      };
      const body = await new ExportStream(source, { onOver }).begin();
      if (part !== null) return { status: 206, headers: { ...headers, ...part.headers }, body };
      // Only a Parquet file is sure to have all its bytes: rows that are removed meanwhile are left out of the others.
      const length = format === "parquet" ? { "Content-Length": String(await opened.sizeBytes()) } : {};
      return { status: 200, headers: { ...headers, ...length }, body };
    } catch (error) {
      await opened.close();
      throw error;
    }
  } catch (error) {
    await end(context, run, {});
    throw error;
  }
}

// To make a Parquet file takes long, so an export that the quota does not have is refused before. What a part of it costs is
// known only when the file is there, so a part of which nothing is paid needs the quota for the whole until then.
async function requireQuotaToMake(context: Context, run: ExportRun, asked: Asked): Promise<void> {
  const { caller, version, visible, selection, price, query } = asked;
  if ((await rowsLeft(context, caller)) >= visible.count) return;
  if (query.range !== undefined) {
    if (await isPaidInPart(context, run)) return;
    if ((await findParquetBytes(context, version, selection.key)) !== null) return;
  }
  await chargeExport(context, run, price);
}

async function end(context: Context, run: ExportRun, deliveredRows: RowsByState): Promise<void> {
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
