// Every answer that each operation can give once the key is known, and how to cause it: for rate-headers.test.ts.
import { ALL_SCOPES } from "../../../../src/accounts/keys/grant.ts";
import { type Handlers, operationTable } from "../../../../src/generated/operations.ts";
import type { Scope } from "../../../../src/generated/scopes.ts";
import type { TestService } from "../../../support/service.ts";

export const [FRESH, STALE, NOT_LIVE, NOT_IN_PLAN] = [
  "us_new_authority_weekly",
  "us_insurance_lapse_alerts",
  "us_revocation_pending",
  "us_brokers",
] as const;
export const FRESH_DOT = "4312907";
export const STALE_DOT = "4312908";
/** Docket numbers of these two. */
export const [FRESH_DOCKET, STALE_DOCKET] = ["MC1000001", "MC1000002"] as const;

export type OperationId = keyof Handlers;
type Plan = Parameters<TestService["createAccount"]>[0];

type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

export interface RateCase {
  operation: OperationId;
  /** A problem's code, or the status of an answer that has none. */
  answer: string;
  /**
   * `{endpoint}` is replaced by a webhook endpoint of the account, `{own_key}` by another key of it, `{ended_key}` by a revoked one, `{watchlist}` by its watchlist, `{version}` by the version of the fresh feed, and
   * `{previous}` by the one before it. `{cursor}` leads to a version that does not exist.
   */
  path: string;
  /** GET unless given. */
  method?: Method;
  body?: unknown;
  plan?: Plan;
  headers?: Record<string, string>;
  /** Sent after another request of the same minute. */
  isSecond?: true;
  /** The value of Retry-After; absent if there must be none. */
  waitSeconds?: number;
  /** The handler throws an error that is not in the contract. */
  hasFault?: true;
  /** The as-of day of the newest detection, if it is not fresh. */
  detectedOf?: string;
  /** A table that cannot be read while the request is answered, after it was counted. */
  lostTable?: string;
  /** Sent while an export of the key is running. */
  isBesideExport?: true;
  /** The event type of the delivery, if the endpoint does not have it. */
  eventType?: string;
  /** What became of another request with its idempotency key. */
  otherRequest?: "answered" | "in progress";
  /** How many watchlists the account has; one if the path names one. */
  watchlists?: number;
  /** The account watches a carrier that is not paid for this month. */
  isUnpaid?: true;
  /** An operation of test mode is called with a live key. */
  hasLiveKey?: true;
  /** Who paused the endpoint, if it was not its customer. */
  isPausedByOperator?: true;
  /** How many keys in use the account has; one unless given. */
  keys?: number;
  /** What the key may do; everything unless given. */
  grant?: { scopes?: readonly Scope[]; networks?: readonly string[] };
  /** How many active webhook endpoints the account has; one unless given. Of 21 and 0, the used one is paused. */
  activeEndpoints?: number;
}

export const casesOf = (
  operation: OperationId,
  path: string,
  misfit: string,
  /** Null: it reads no table that its admission does not read. */
  lostTable: string | null,
  pathToLost = path,
): RateCase[] => [
  { operation, path, answer: "200" },
  { operation, path: `${path}${path.includes("?") ? "&" : "?"}${misfit}`, answer: "422" },
  { operation, path, answer: "plan_has_no_api_access", plan: { apiAccess: false } },
  { operation, path, answer: "account_suspended" },
  {
    operation,
    path,
    answer: "insufficient_scope",
    grant: { scopes: ALL_SCOPES.filter((scope) => scope !== operationTable[operation].scope) },
  },
  { operation, path, answer: "network_not_allowed", grant: { networks: ["192.0.2.0/24"] } },
  {
    operation,
    path,
    answer: "rate_limited",
    plan: { requestsPerMinute: 1 },
    isSecond: true,
    waitSeconds: 45,
  },
  { operation, path, answer: "internal_error", hasFault: true },
  ...(lostTable === null
    ? []
    : [{ operation, path: pathToLost, answer: "unavailable", lostTable, waitSeconds: 5 } as const]),
];

/** The cases of an operation with a method of its own, by its successful answer and the table that it reads. */
export const postedCasesOf = (
  operation: OperationId,
  success: string,
  request: Pick<RateCase, "path" | "method" | "body">,
  lostTable: string,
): RateCase[] =>
  casesOf(operation, request.path, "x=1", lostTable).map((one) => ({
    ...({ ...one, method: request.method, body: request.body } as RateCase),
    answer: one.answer === "200" ? success : one.answer,
  }));

/** The cases of a body that an operation takes. */
export const bodyCasesOf = (
  operation: OperationId,
  request: { path: string; method: Method },
  bytes = 33_000,
): RateCase[] => [
  { operation, ...request, answer: "payload_too_large", body: { url: "x".repeat(bytes) } },
  {
    operation,
    ...request,
    answer: "unsupported_media_type",
    body: {},
    headers: { "Content-Type": "text/plain" },
  },
];

/** The cases of an operation that takes an idempotency key. */
export const keyedCasesOf = (
  operation: OperationId,
  request: Pick<RateCase, "path" | "body"> & { method?: Method },
): RateCase[] => {
  const keyed = { operation, method: "POST", ...request, headers: { "Idempotency-Key": RATE_KEY } } as const;
  return [
    { ...keyed, answer: "idempotency_conflict", otherRequest: "answered" },
    { ...keyed, answer: "request_in_progress", otherRequest: "in progress", waitSeconds: 1 },
  ];
};
/** The idempotency key of such a request. */
export const RATE_KEY = "one";
