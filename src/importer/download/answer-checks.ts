import { OperatorError } from "../../platform/operator-error.ts";
import { NotOffered, PassingFailure } from "./failures.ts";

const PASSING_STATUSES = new Set([408, 425, 429]);
const NOT_OFFERED_STATUSES = new Set([401, 403, 404, 410]);

/**
 * Throws for an answer without a file: PassingFailure when another try may succeed, NotOffered when another address may
 * have the file, else OperatorError.
 */
export function requireSuccess(response: Response, what: string, now: Date): void {
  if (response.ok) return;
  const { status } = response;
  if (status >= 500 || PASSING_STATUSES.has(status)) {
    throw new PassingFailure(`the portal answered ${status}`, {
      retryAfterMs: retryAfterMs(response.headers.get("retry-after"), now),
    });
  }
  const answer = `${response.url} answered ${status}`;
  if (NOT_OFFERED_STATUSES.has(status)) throw new NotOffered(answer);
  throw notOffered(what, [answer]);
}

/** The error for a file that no address gave. */
export const notOffered = (what: string, answers: readonly string[]): OperatorError =>
  new OperatorError(
    `${what}: ${answers.join(", ")}; look whether the portal still offers it, and at REGISTRY_URL and REGISTRY_APP_TOKEN.`,
  );

/** The portal's own time of the file's last change, ISO 8601; null when the answer does not say. */
export function changedAtOf({ headers }: Response): string | null {
  const time = Date.parse(headers.get("x-soda2-truth-last-modified") ?? headers.get("last-modified") ?? "");
  return Number.isNaN(time) ? null : new Date(time).toISOString();
}

/** Milliseconds of a Retry-After header in seconds or as a date (RFC 9110 10.2.3); null when absent or invalid. */
function retryAfterMs(header: string | null, now: Date): number | null {
  const text = header?.trim() ?? "";
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000;
  const date = /^[A-Z][a-z]{2},? /.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? null : Math.max(0, date - now.getTime());
}

/** A portal in trouble may answer 200 with an error page, which must not replace the file. */
export function requireTable(response: Response, what: string): void {
  const type = (response.headers.get("content-type") ?? "").split(";")[0]?.trim().toLowerCase() ?? "";
  if (/^(text\/(csv|plain)|application\/(csv|octet-stream)|)$/.test(type)) return;
  throw notTable(what, `${response.url} answered with ${type}`);
}

/** Another address may have the file. */
const notTable = (what: string, answer: string): OperatorError =>
  new OperatorError(`${what}: ${answer} instead of CSV; open it in a browser.`, {
    cause: new NotOffered(answer),
  });

/** The same check by the first bytes, for a page that is sent as CSV. */
export function requireTableText(firstBytes: Uint8Array, url: string, what: string): void {
  const start = new TextDecoder("latin1")
    .decode(firstBytes.subarray(0, 64))
    .replace(/^\u00ef\u00bb\u00bf/, "");
  if (!/^\s*[<{]/.test(start)) return;
  throw notTable(what, `${url} answered with a web page`);
}

/** First byte and total size of a 206, from its Content-Range; null when unknown. */
export function rangeOf(response: Response): { start: number; sizeBytes: number | null } | null {
  const match = /^bytes (\d+)-\d+\/(\d+|\*)$/.exec(response.headers.get("content-range") ?? "");
  if (!match) return null;
  return { start: Number(match[1]), sizeBytes: match[2] === "*" ? null : Number(match[2]) };
}

/** The body's length in bytes; null when the server does not send it. */
export function lengthOf(response: Response): number | null {
  const text = response.headers.get("content-length");
  return text !== null && response.headers.get("content-encoding") === null ? Number(text) : null;
}
