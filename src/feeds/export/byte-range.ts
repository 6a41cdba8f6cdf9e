import { ProblemError } from "../../platform/http/problem.ts";

/** The first and the last byte of a part of a file, from 0. */
export interface ByteRange {
  first: number;
  last: number;
}

/** The part of a file that a request asks for, with its headers; null: the whole file. */
export async function partOf(
  { range: sent, ifRange }: { range?: string; ifRange?: string },
  etag: string,
  sizeOf: () => Promise<number>,
) {
  if (sent === undefined || !isRangeWanted(ifRange, etag)) return null;
  const sizeBytes = await sizeOf();
  const range = rangeOf(sent, sizeBytes);
  if (range === "beyond") throw beyond(sizeBytes);
  if (range === null) return null;
  const { first, last } = range;
  const headers = {
    "Content-Range": `bytes ${first}-${last}/${sizeBytes}`,
    "Content-Length": String(last - first + 1),
  };
  return { range, headers };
}

const beyond = (sizeBytes: number): ProblemError =>
  new ProblemError(
    "range_not_satisfiable",
    `The export has ${sizeBytes} bytes, and the range begins behind them. Your copy may be whole already.`,
    { headers: { "Content-Range": `bytes */${sizeBytes}` } },
  );

/**
 * The range that a Range header asks for (RFC 9110 section 14): null without a usable one, so that the whole file is the
 * answer; "beyond" when it begins behind the file's last byte. An empty file is always answered whole: to a client that
 * asks each time for the bytes from 0 on, no rows are an answer and no fault.
 */
function rangeOf(header: string | undefined, sizeBytes: number): ByteRange | "beyond" | null {
  const [, from = "", to = ""] = /^bytes=(\d*)-(\d*)$/i.exec(header?.trim() ?? "") ?? [];
  if ((from === "" && to === "") || sizeBytes === 0) return null;
  if (from === "") {
    const length = Math.min(Number(to), sizeBytes);
    return length === 0 ? "beyond" : { first: sizeBytes - length, last: sizeBytes - 1 };
  }
  if (to !== "" && Number(to) < Number(from)) return null;
  if (Number(from) >= sizeBytes) return "beyond";
  return { first: Number(from), last: to === "" ? sizeBytes - 1 : Math.min(Number(to), sizeBytes - 1) };
}

/** Whether a Range counts: If-Range is absent, or is the strong tag of the file. A date never is. */
const isRangeWanted = (ifRange: string | undefined, etag: string): boolean =>
  ifRange === undefined || ifRange.trim() === etag;

/** Whether If-Match has the strong tag (RFC 9110 section 13.1.1), or is absent or `*`. */
export const meetsIfMatch = (ifMatch: string | undefined, etag: string): boolean =>
  ifMatch === undefined || ifMatch.trim() === "*" || ifMatch.split(",").some((tag) => tag.trim() === etag);
