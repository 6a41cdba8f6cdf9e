import type { Context } from "../../platform/context.ts";
import { ProblemError } from "../../platform/http/problem.ts";
import { indexOfFirst } from "../../platform/index-of-first.ts";
import type { Fields } from "../records/fields.ts";
import type { VisibleRows } from "../records/visible-rows.ts";
import { type LineFormat, openRowFile, type RowFile } from "../row-files/row-file.ts";
import type { FeedVersion } from "../versions/feed-version.ts";
import { latestRemovals } from "../versions/removals.ts";
import type { ByteRange } from "./byte-range.ts";
import type { ExportSource } from "./export-stream.ts";
import { cutLengthsOf, headerOf, measureCutRows, rowShapeOf } from "./format.ts";
import { openParquetFile } from "./parquet-file.ts";
import { bytesOfRows, type RowSizes, rowsInRange } from "./row-sizes.ts";
import { FileSource, OutdatedBytesError, RowSource } from "./row-source.ts";
import { NO_LINES, type RowShape, RowWriter } from "./row-writer.ts";

/** The file of an export, open to be read. */
export interface OpenedExport {
  sizeBytes(): Promise<number>;
  /** Its bytes, all or a part; closes the file at its end. */
  read(range: ByteRange | null, options: { removalsGoodForMs: number }): Promise<ExportPart>;
  close(): Promise<void>;
}

interface ExportPart {
  source: ExportSource;
  /** The rows of the file before the part. */
  rowsBefore: number;
  /** The rows of the file up to the part's last byte. */
  rowsUntil: number;
  /** Positions of rows that were left out because they were removed while it was read. */
  leftOut: ReadonlySet<number>;
}

/** An export in lines: made while it is read. */
export async function openLines(
  context: Context,
  version: FeedVersion,
  visible: VisibleRows,
  { format, licenceRef, fields }: { format: LineFormat; licenceRef: string; fields: Fields | null },
): Promise<OpenedExport> {
  const rowFile = await openRowFile(context, version, format);
  const header = headerOf(format, version);
  const shape = rowShapeOf(format, version, licenceRef, fields);
  const sizes = () => rowSizesOf(context, rowFile, version, { shape, fields });
  const latest = async () => (await latestRemovals(context, version)).positions;
  return {
    sizeBytes: async () => header.length + bytesOfRows(await sizes(), visible),
    close: () => rowFile.file.close(),
    async read(range, { removalsGoodForMs }) {
      const { file } = rowFile;
      const common = { file, latestRemovals: latest, removalsGoodForMs };
      if (range === null) {
        const writer = new RowWriter(shape, visible);
        const source = { ...common, fileOffset: 0, writer, header, rows: visible.count, part: null };
        const { count: rowsUntil } = visible;
        return { source: new RowSource(source), rowsBefore: 0, rowsUntil, leftOut: writer.leftOut };
      }
      const found = spanOf(await sizes(), visible, { header, range });
      const writer = new RowWriter(shape, visible, found);
      const source = new RowSource({
        ...common,
        fileOffset: found.fileOffset,
        writer,
        header: found.header,
        rows: found.until,
        part: { skippedBytes: found.skippedBytes, bytes: range.last - range.first + 1 },
      });
      const { after, until } = found;
      return { source, rowsBefore: after.visible, rowsUntil: until, leftOut: writer.leftOut };
    },
  };
}

/** The bytes of each row of an export. Cut rows are measured when they are first needed. */
async function rowSizesOf(
  { db }: Context,
  { file, path, lengths: lines }: RowFile,
  { rowCount }: FeedVersion,
  { shape, fields }: { shape: RowShape; fields: Fields | null },
): Promise<RowSizes> {
  if (fields === null) return { lines, rows: lines, added: shape.end.length - shape.droppedBytes };
  const measure = () => measureCutRows(file, shape, rowCount);
  const rows = await cutLengthsOf(db).get(`${path} ${fields.names}`, measure);
  return { lines, rows, added: 0 };
}

/** The rows of a range of the whole export's bytes, and the header if the range has bytes of it. */
function spanOf(
  sizes: RowSizes,
  visible: VisibleRows,
  { header, range }: { header: Buffer; range: ByteRange },
) {
  const size = header.length;
  const last = range.last - size;
  if (range.first >= size) {
    const rows = rowsInRange(sizes, visible, { first: range.first - size, last });
    return { ...rows, header: Buffer.alloc(0) };
  }
  const until = last < 0 ? 0 : rowsInRange(sizes, visible, { first: 0, last }).until;
  return { header, after: NO_LINES, until, fileOffset: 0, skippedBytes: range.first };
}

const LEAST_TRIES = 3;
/** No further try is begun after so long: less than the 30 s for which the SDKs wait for an answer. */
const TRIES_FOR_MS = 15_000;

/**
 * Runs an export, and runs it again with the rows visible by then while one of them is removed before its first byte.
 * ProblemError unavailable when that happens at least three times, for 15 s.
 */
export async function withNewestRows<T>(run: (isAgain: boolean) => Promise<T>): Promise<T> {
  const startedAtMs = performance.now();
  const mayBegin = (tries: number) => tries <= LEAST_TRIES || performance.now() - startedAtMs < TRIES_FOR_MS;
  for (let tries = 1; mayBegin(tries); tries++) {
    try {
      return await run(tries > 1);
    } catch (error) {
      if (!(error instanceof OutdatedBytesError)) throw error;
    }
  }
  const detail =
    "Businesses were removed before the file or part could begin. Try again shortly, or take a whole export as NDJSON or CSV.";
  throw new ProblemError("unavailable", detail, { retryAfterSeconds: 30 });
}

/** An export as Parquet: its whole file is made before it is read. See withNewestRows. */
export async function openParquet(
  context: Context,
  version: FeedVersion,
  visible: VisibleRows,
  selectionKey: string,
): Promise<OpenedExport> {
  const { file, sizeBytes } = await openParquetFile(context, version, visible, selectionKey);
  try {
    // Its first byte could not be sent.
    if (await hasRemoved(context, version, visible)) throw new OutdatedBytesError();
  } catch (error) {
    await file.close();
    throw error;
  }
  const rowsIn = (bytes: number): number => Math.ceil((visible.count * bytes) / sizeBytes);
  return {
    sizeBytes: async () => sizeBytes,
    close: () => file.close(),
    read: async (range, { removalsGoodForMs }) => ({
      source: new FileSource({
        file,
        range: range ?? { first: 0, last: sizeBytes - 1 },
        rowsIn,
        hasRemoved: () => hasRemoved(context, version, visible),
        removalsGoodForMs,
      }),
      rowsBefore: rowsIn(range?.first ?? 0),
      rowsUntil: range === null ? visible.count : rowsIn(range.last + 1),
      leftOut: new Set(),
    }),
  };
}

/** Whether a row was removed since the version was opened. */
async function hasRemoved(context: Context, version: FeedVersion, { listed }: VisibleRows): Promise<boolean> {
  const { key, positions } = await latestRemovals(context, version);
  if (key === version.removals.key) return false;
  const known = new Set(version.removals.positions);
  return positions.some((position) => {
    if (known.has(position)) return false;
    if (listed === null) return true;
    return listed[indexOfFirst(listed.length, (at) => (listed[at] as number) >= position)] === position;
  });
}
