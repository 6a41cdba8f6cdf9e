import { TruckingDataFeedError } from "./errors.ts";
import type { Problem, ValidationErrors } from "./generated/operations/types.gen.ts";

/** The error of a failed request: `thrown` is the parsed body of an error answer, its text, or an exception. */
export function errorOf(thrown: unknown, response: Response | undefined): TruckingDataFeedError {
  if (thrown instanceof TruckingDataFeedError) return thrown;
  if (response === undefined) {
    return new TruckingDataFeedError({
      code: "connection_failed",
      detail: `The service cannot be reached: ${reasonOf(thrown)}.`,
      cause: thrown,
    });
  }
  const facts = factsOf(response);
  if (response.status === 304) {
    return new TruckingDataFeedError({ ...facts, code: "not_modified", detail: "Nothing has changed." });
  }
  if (isProblem(thrown)) {
    return new TruckingDataFeedError({ ...facts, code: thrown.code, detail: thrown.detail });
  }
  if (isValidation(thrown)) {
    const faults = thrown.detail;
    const detail = `${faults.map(({ loc, msg }) => `${loc.join(".")} ${msg}`).join("; ")}.`;
    return new TruckingDataFeedError({ ...facts, code: "invalid_request", detail, faults });
  }
  if (thrown instanceof Error && !(thrown instanceof SyntaxError)) {
    return new TruckingDataFeedError({
      code: "connection_failed",
      detail: `The answer broke off: ${reasonOf(thrown)}.`,
      requestId: facts.requestId,
      cause: thrown,
    });
  }
  return foreignAnswer(response);
}

/** The error of an answer that is not the service's. */
export function foreignAnswer(response: Response): TruckingDataFeedError {
  return new TruckingDataFeedError({
    ...factsOf(response),
    code: "unexpected_answer",
    detail: unexpected(response),
  });
}

const factsOf = (response: Response) => ({
  status: response.status,
  requestId: response.headers.get("x-request-id"),
  retryAfterSeconds: retryAfterOf(response),
});

function unexpected(response: Response): string {
  const { status, url, headers } = response;
  const location = headers.get("location");
  if (status >= 300 && status < 400 && location !== null) {
    return `${url} redirects to ${location}. Set baseUrl to the address that answers.`;
  }
  return `${url} did not answer as the service does. Check baseUrl, and the proxies on the way.`;
}

const isProblem = (body: unknown): body is Problem =>
  isObject(body) && typeof body.code === "string" && typeof body.detail === "string";

const isValidation = (body: unknown): body is ValidationErrors =>
  isObject(body) &&
  Array.isArray(body.detail) &&
  body.detail.length > 0 &&
  body.detail.every((fault) => isObject(fault) && Array.isArray(fault.loc));

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null;

/** Whether an answer of 2xx may be the service's: it has a body with members, and none only after 204. */
export const isOwnAnswer = (body: unknown, { status }: Response): boolean =>
  status === 204 || (isObject(body) && !Array.isArray(body) && Object.keys(body).length > 0);

/** The seconds of `Retry-After`, which a proxy may send as a date. */
function retryAfterOf({ headers }: Response): number | null {
  const value = headers.get("retry-after")?.trim() ?? "";
  if (/^\d{1,9}$/.test(value)) return Number(value);
  const seconds = Math.ceil((Date.parse(value) - Date.now()) / 1000);
  return Number.isNaN(seconds) ? null : Math.max(0, seconds);
}

/** In the words of the innermost cause: fetch itself only says "fetch failed". */
function reasonOf(thrown: unknown): string {
  if (!(thrown instanceof Error)) return String(thrown);
  if (thrown.cause instanceof Error) return reasonOf(thrown.cause);
  const { code } = thrown as NodeJS.ErrnoException;
  return thrown.message || (code ?? thrown.name);
}
