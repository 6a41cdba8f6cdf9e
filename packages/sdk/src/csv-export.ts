import { type Connection, call } from "./call.ts";
import { errorOf } from "./error-of.ts";
import type { FeedCode, FeedFilters } from "./feeds.ts";
import { exportFeed } from "./generated/operations/sdk.gen.ts";

/** A whole feed as CSV, while it arrives. */
export interface CsvExport {
  /**
   * The bytes: UTF-8, a header line, CRLF line ends. It fails when the connection breaks: discard what came until then. To
   * fetch the same export again costs nothing.
   */
  body: ReadableStream<Uint8Array>;
  /** The file name that the service proposes, with the feed's code and its as-of date. */
  fileName: string;
  /** The account's licence reference, which is also the last column. */
  licenceReference: string;
}

/** Begins an export. The time limit of a call ends with the answer's headers; the body may take as long as it needs. */
export async function openExport<Code extends FeedCode>(
  connection: Connection,
  feed: Code,
  filters: FeedFilters<Code> | undefined,
  { signal }: { signal?: AbortSignal | undefined },
): Promise<CsvExport> {
  const { data, response } = await call(
    connection,
    (sent) => exportFeed({ ...sent, path: { code: feed }, query: { ...filters }, parseAs: "stream" }),
    { signal, isRepeatable: true },
  );
  const { headers } = response;
  return {
    body: guarded(data as unknown as ReadableStream<Uint8Array>, response, signal),
    fileName: /filename="?([^";]+)/.exec(headers.get("content-disposition") ?? "")?.[1] ?? `${feed}.csv`,
    licenceReference: headers.get("x-licence-reference") ?? "",
  };
}

/** The same bytes; what breaks them off is one of our errors, or the reason of the signal. */
function guarded(
  body: ReadableStream<Uint8Array>,
  response: Response,
  signal: AbortSignal | undefined,
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  let abort = () => {};
  const release = () => signal?.removeEventListener("abort", abort);
  return new ReadableStream<Uint8Array>({
    start(controller) {
      abort = () => {
        controller.error(signal?.reason);
        reader.cancel(signal?.reason).catch(() => {});
      };
      if (signal?.aborted) abort();
      else signal?.addEventListener("abort", abort, { once: true });
    },
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (signal?.aborted) return;
        if (!done) return controller.enqueue(value);
        release();
        controller.close();
      } catch (error) {
        release();
        if (!signal?.aborted) controller.error(errorOf(error, response));
      }
    },
    cancel(reason) {
      release();
      return reader.cancel(reason);
    },
  });
}
