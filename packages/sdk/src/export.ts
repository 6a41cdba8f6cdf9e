import { type Answer, answerOf } from "./answer.ts";
import { CALL_OPTIONS, type CallOptions, type Connection, call } from "./call.ts";
import { foreignAnswer } from "./error-of.ts";
import { TruckingDataFeedError } from "./errors.ts";
import type { FeedCode, FeedFilters, FeedRecord } from "./feeds.ts";
import { exportFeed, exportFeedAsNdjson, exportFeedAsParquet } from "./generated/operations/sdk.gen.ts";
import type { Checkpoint } from "./generated/operations/types.gen.ts";
import { checkOptions, type OptionNames } from "./options.ts";
import { type Part, resumedBody } from "./resumed-body.ts";
import type { VersionDays } from "./volatile.ts";

const OPERATIONS = { csv: exportFeed, ndjson: exportFeedAsNdjson, parquet: exportFeedAsParquet };

/** The format of an export. */
export type ExportFormat = keyof typeof OPERATIONS;

/** How a feed is exported. */
export interface ExportOptions<Format extends ExportFormat = ExportFormat> extends CallOptions {
  /** `csv` unless given. */
  format?: Format | undefined;
}

const EXPORT_OPTIONS: OptionNames<ExportOptions> = { format: true, ...CALL_OPTIONS };

/** A whole feed as one file, while it arrives. */
interface ExportedFile {
  /**
   * The file's bytes. When the connection breaks, they go on at the byte where they ended. When they can't, for example
   * because a business was removed meanwhile (`export_changed`), the body fails: discard what came until then.
   */
  body: ReadableStream<Uint8Array>;
  /** The file name that the service proposes, with the feed's code and its as-of date. */
  fileName: string;
  /** The account's licence reference, which is also the last column of a CSV. */
  licenceReference: string;
  /** Rows and digest of the file. A business that is removed while you read a CSV or NDJSON is not in the rest of it. */
  checkpoint: Checkpoint | null;
  /** The days of the file's version: see `refreshRecord`. */
  days: VersionDays;
}

/** A whole feed as one file; as NDJSON also its records. */
export type FeedExport<Code extends FeedCode, Format extends ExportFormat> = ExportedFile &
  (Format extends "ndjson" ? { records(): AsyncGenerator<FeedRecord<Code>, void, undefined> } : unknown);

/**
 * Begins an export. The time limit of a call ends with the answer's headers; the body may take as long as it needs.
 */
export async function openExport<Code extends FeedCode, Format extends ExportFormat>(
  connection: Connection,
  feed: Code,
  filters: FeedFilters<Code> | undefined,
  given: ExportOptions<Format>,
): Promise<Answer<FeedExport<Code, Format>>> {
  checkOptions<ExportOptions>(given, EXPORT_OPTIONS);
  const { format = "csv" as Format, ...options } = given;
  if (!Object.hasOwn(OPERATIONS, format)) {
    throw new TypeError(`There is no format ${format}. Choose one of ${Object.keys(OPERATIONS).join(", ")}.`);
  }
  const fetchPart = async (
    headers: Record<string, string>,
    { version, stop }: { version?: number; stop?: AbortSignal | undefined },
  ): Promise<Part> => {
    const query = { ...filters, ...(version !== undefined && { version }) };
    // Ranges are of the bytes without compression.
    const own = { "Accept-Encoding": "identity", ...headers };
    const { data, response } = await call<{ data: unknown; response: Response }>(
      connection,
      (sent) => {
        const asked = { headers: { ...sent.headers, ...own }, path: { code: feed }, query };
        return OPERATIONS[format]({ ...sent, ...asked, parseAs: "stream" });
      },
      { ...options, signal: stop, isRepeatable: true },
    );
    const body = data as ReadableStream<Uint8Array>;
    // A page of a proxy would be saved as the feed.
    if (response.headers.get("content-type")?.startsWith("text/html")) {
      await body.cancel();
      throw foreignAnswer(response);
    }
    return { body, response };
  };
  const first = await fetchPart({}, { stop: options.signal });
  const { headers } = first.response;
  const checkpoint = checkpointIn(headers);
  const etag = headers.get("etag");
  // The version is kept, so that a newer one changes nothing. If-Match refuses a file that is another one now.
  const resume = (from: number, stop: AbortSignal): Promise<Part> =>
    fetchPart(
      { Range: `bytes=${from}-`, "If-Match": String(etag) },
      { ...(checkpoint && { version: checkpoint.version }), stop },
    );
  const body = resumedBody(connection, first, etag?.startsWith('"') ? resume : null, options);
  const file: ExportedFile = {
    body,
    fileName:
      /filename="?([^";]+)/.exec(headers.get("content-disposition") ?? "")?.[1] ?? `${feed}.${format}`,
    licenceReference: headers.get("x-licence-reference") ?? "",
    checkpoint,
    days: daysIn(headers),
  };
  const records = readOnce(() => recordsIn<FeedRecord<Code>>(body));
  return answerOf(
    { ...file, ...(format === "ndjson" && { records }) } as FeedExport<Code, Format>,
    first.response,
  );
}

/** A second reading of records that arrived would find none. */
function readOnce<Records>(read: () => Records): () => Records {
  let isRead = false;
  return () => {
    if (isRead) throw new TypeError("The records of an export can be read once. Open the export again.");
    isRead = true;
    return read();
  };
}

function checkpointIn(headers: Headers): Checkpoint | null {
  const [version, rows, digest, removals] = [
    "x-checkpoint-version",
    "x-row-count",
    "x-checkpoint-digest",
    "x-checkpoint-removals",
  ].map((name) => headers.get(name));
  if (!version || !rows || !digest || !removals) return null;
  return { version: Number(version), rows: Number(rows), digest, removals: Number(removals) };
}

function daysIn(headers: Headers): VersionDays {
  const [as_of = null, motus, legacy] = ["x-as-of", "x-verified-on-motus", "x-verified-on-legacy"].map(
    (name) => headers.get(name),
  );
  return { as_of, ...(motus && legacy && { verified_on: { motus, legacy } }) };
}

async function* recordsIn<Row>(body: ReadableStream<Uint8Array>): AsyncGenerator<Row, void, undefined> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of body) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) yield JSON.parse(line) as Row;
  }
  if (rest === "") return;
  const detail = "The last line of the export is not whole.";
  throw new TruckingDataFeedError({ code: "unexpected_answer", detail });
}
