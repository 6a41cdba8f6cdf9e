import type { ValidationErrors } from "./generated/operations/types.gen.ts";
import type { ProblemCode } from "./generated/problem-codes.ts";

/**
 * Why a call failed: a problem code of the service, or one of these.
 *
 * - `invalid_request`: the service refused a parameter or the body (422); `faults` says which.
 * - `connection_failed`: no whole answer arrived.
 * - `timeout`: the answer did not arrive within `timeoutMs`.
 * - `not_modified`: nothing has changed since the answer whose `ETag` the call sent in `If-None-Match` (304).
 * - `unexpected_answer`: something other than the service answered, for example a proxy.
 *
 * A newer service may send codes that this version of the SDK does not list.
 */
export type ErrorCode =
  | ProblemCode
  | "invalid_request"
  | "connection_failed"
  | "timeout"
  | "not_modified"
  | "unexpected_answer"
  | (string & {});

/** A part of a request that the service refused. */
export type RequestFault = ValidationErrors["detail"][number];

/** What an error knows; all members but `code` and `detail` may be left out. */
export interface ErrorFacts {
  code: ErrorCode;
  detail: string;
  status?: number | null;
  requestId?: string | null;
  retryAfterSeconds?: number | null;
  faults?: readonly RequestFault[];
  cause?: unknown;
}

/** Statuses after which the same request may succeed later. Proxies send many of 500 and more. */
const isTemporaryStatus = (status: number): boolean => status === 408 || status === 429 || status >= 500;

/** Codes after which it may too, whatever the status. */
const TEMPORARY_CODES = new Set(["connection_failed", "timeout", "request_in_progress"]);

/** A call that failed. Decide by `code`; show `message` to people. */
export class TruckingDataFeedError extends Error {
  override readonly name: string = "TruckingDataFeedError";
  /** Stable and made for programs. */
  readonly code: ErrorCode;
  /** The explanation of this case, in a sentence. */
  readonly detail: string;
  /** The HTTP status; null when no answer arrived. */
  readonly status: number | null;
  /** Identifies the request in the service's log. Quote it when you ask for help. */
  readonly requestId: string | null;
  /** The seconds to wait before the next attempt, where the service named them. */
  readonly retryAfterSeconds: number | null;
  /** The parts of the request that were refused, after `invalid_request`. */
  readonly faults: readonly RequestFault[];

  /** Errors come from calls; create one only in tests of your own code. */
  constructor(facts: ErrorFacts) {
    const { code, detail, status = null, requestId = null, retryAfterSeconds = null, faults = [] } = facts;
    const origin = [code, status, requestId && `request ${requestId}`].filter(Boolean).join(", ");
    super(`${detail} (${origin})`, "cause" in facts ? { cause: facts.cause } : {});
    this.code = code;
    this.detail = detail;
    this.status = status;
    this.requestId = requestId;
    this.retryAfterSeconds = retryAfterSeconds;
    this.faults = faults;
  }

  /** Whether the same call may succeed later. A used-up quota counts as lasting: it ends with the month. */
  get isTemporary(): boolean {
    if (this.code === "quota_exceeded") return false;
    if (TEMPORARY_CODES.has(this.code)) return true;
    return this.status !== null && isTemporaryStatus(this.status);
  }
}

/** The feed version that `records()` was reading has ended. Read again from the start to get the newest version. */
export class VersionEndedError extends TruckingDataFeedError {
  override readonly name: string = "VersionEndedError";
  /** The version that ended. */
  readonly version: number;

  /** Thrown by `records()`. */
  constructor(feed: string, version: number, cause: TruckingDataFeedError) {
    super({
      code: cause.code,
      detail:
        `Version ${version} of ${feed} ended while it was being read. ` +
        "Read again from the start to get the newest version.",
      status: cause.status,
      requestId: cause.requestId,
      cause,
    });
    this.version = version;
  }
}
