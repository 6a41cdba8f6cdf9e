import type { Request, Response } from "express";
import { type Admission, admit, type ExpiredKey, type KnownKey } from "../accounts/keys/admission.ts";
import {
  type Caller,
  type Charged,
  type KnownRows,
  type QuotaState,
  type RateState,
  requireApiAccess,
  requireNotSuspended,
  type Snapshot,
} from "../accounts/keys/caller.ts";
import { isAllowedFrom, networkNotAllowed } from "../accounts/keys/grant.ts";
import { TELL_AT_DAYS } from "../accounts/keys/make-key.ts";
import { leftOf } from "../accounts/usage/quota.ts";
import { countRequest } from "../accounts/usage/usage-counter.ts";
import { DAY_MS } from "../platform/clock.ts";
import type { EntryContext } from "../platform/context.ts";
import { clientAddressOf } from "../platform/http/client.ts";
import { ProblemError } from "../platform/http/problem.ts";
import { exchangeOf } from "./exchange.ts";
import { answerError } from "./problem-answer.ts";

/** The caller of a request, with what the statement that admitted it read and charged. */
export interface AdmittedCaller {
  caller: Caller;
  snapshot: Snapshot;
  /** Whether the known rows were charged. */
  isCharged: boolean;
}

/**
 * Finds the caller by the key in X-API-Key and counts the request in the key's minute. Throws the first of these
 * ProblemErrors that applies: invalid_api_key, revoked_api_key, expired_api_key, network_not_allowed (rate_limited for too
 * many such requests), rate_limited, account_suspended, plan_has_no_api_access.
 */
export async function admittedCaller(
  context: EntryContext,
  request: Request,
  response: Response,
  knownRows: KnownRows | null = null,
): Promise<AdmittedCaller> {
  const clientAddress = addressOf(context, request);
  const admission = await admit(context, request.get("x-api-key"), { knownRows, clientAddress });
  const key = requireKnown(context, response, admission);
  countAdmitted(context, response, key);
  const { snapshot, isCharged } = key;
  return { caller: callerWithAccess(response, key), snapshot, isCharged };
}

/**
 * Counts the request in the minute of the presented key and sets the rate and quota headers. ProblemError invalid_api_key, which
 * says how a key is sent, revoked_api_key, expired_api_key or network_not_allowed (rate_limited for too many such requests).
 */
export async function knownKey(
  context: EntryContext,
  response: Response,
  presentedKey: string | undefined,
  howToSend?: string,
): Promise<KnownKey> {
  const clientAddress = addressOf(context, response.req);
  return requireKnown(context, response, await admit(context, presentedKey, { clientAddress }), howToSend);
}

function requireKnown(
  context: EntryContext,
  response: Response,
  admission: Admission,
  howToSend = "in the header X-API-Key",
): KnownKey {
  if (admission.outcome === "invalid_key") {
    throw new ProblemError("invalid_api_key", `Send a valid API key ${howToSend}.`);
  }
  if (admission.outcome === "revoked_key") {
    throw new ProblemError("revoked_api_key", "This API key was revoked. Use another key of the account.");
  }
  if (admission.outcome === "expired_key") throw expiredKey(admission);
  setKeyHeaders(context, response, admission);
  requireOwnNetwork(context, response.req, admission);
  return admission;
}

function expiredKey({ expiredAt, isReplaced }: ExpiredKey): ProblemError {
  const at = expiredAt.toISOString();
  return new ProblemError(
    "expired_api_key",
    isReplaced
      ? `This secret of the API key was replaced, and worked until ${at}. Use the new one.`
      : `This API key expired on ${at}. Use another key of the account.`,
  );
}

const addressOf = ({ config }: EntryContext, request: Request): string =>
  clientAddressOf(request, config.trustProxyHops);

/** ProblemError network_not_allowed; rate_limited above the limit, which requests from elsewhere have for themselves. */
function requireOwnNetwork(context: EntryContext, request: Request, key: KnownKey): void {
  const { grant } = key.caller;
  if (grant.networks === null) return;
  const clientAddress = addressOf(context, request);
  if (isAllowedFrom(grant, clientAddress)) return;
  requireRate(context, key);
  throw networkNotAllowed(clientAddress);
}

/** Counts an admitted request in the usage of its account. ProblemError rate_limited. */
export function countAdmitted(context: EntryContext, response: Response, key: KnownKey): void {
  requireRate(context, key);
  countRequest(context, key.caller);
  exchangeOf(response).isCounted = true;
}

/** The caller whose charges the answer tells. ProblemError account_suspended, plan_has_no_api_access. */
export function callerWithAccess(response: Response, { caller }: KnownKey): Caller {
  requireNotSuspended(caller);
  requireApiAccess(caller);
  return { ...caller, onCharge: (charged) => addToQuotaHeaders(response, charged) };
}

/**
 * Answers a request that no operation and no page matches. With a valid key it counts in the key's minute like any other,
 * so its answer has the rate and quota headers too.
 */
export async function refuseRequest(
  context: EntryContext,
  request: Request,
  response: Response,
  problem: ProblemError,
  presentedKey = request.get("x-api-key"),
): Promise<void> {
  try {
    const clientAddress = addressOf(context, request);
    const admission = await admit(context, presentedKey, { clientAddress });
    if ("caller" in admission) {
      setKeyHeaders(context, response, admission);
      requireOwnNetwork(context, request, admission);
      requireRate(context, admission);
    }
    throw problem;
  } catch (error) {
    answerError(context, response, error);
  }
}

/** ProblemError rate_limited when the minute's requests are used up. */
export function requireRate(context: EntryContext, { outcome, rate }: KnownKey): void {
  if (outcome === "rate_limited") throw rateLimited(context, rate);
}

function setKeyHeaders(context: EntryContext, response: Response, { caller, rate, quota }: KnownKey): void {
  exchangeOf(response).caller = caller;
  const { validUntil } = caller.grant;
  if (validUntil !== null && validUntil.getTime() - context.clock.now().getTime() <= TELL_AT_DAYS[0] * DAY_MS)
    response.setHeader("X-Key-Expires", validUntil.toISOString());
  response.setHeader("X-RateLimit-Limit", rate.limit);
  response.setHeader("X-RateLimit-Remaining", rate.remaining);
  response.setHeader("X-RateLimit-Reset", rate.resetAtSeconds);
  openQuotaHeaders(response, quota);
}

function rateLimited(context: EntryContext, rate: RateState): ProblemError {
  const leftMs = rate.resetAtSeconds * 1000 - context.clock.now().getTime();
  const retryAfterSeconds = Math.max(1, Math.ceil(leftMs / 1000));
  const detail = `This key may send ${rate.limit} requests a minute. Try again in ${retryAfterSeconds} s.`;
  return new ProblemError("rate_limited", detail, { retryAfterSeconds });
}

/** Sets the X-Quota headers of an answer, which has cost nothing so far. */
function openQuotaHeaders(response: Response, quota: QuotaState): void {
  exchangeOf(response).quota = { ...quota, cost: 0 };
  response.setHeader("X-Quota-Limit", quota.limit);
  response.setHeader("X-Quota-Reset", quota.resetAtSeconds);
  tellCost(response);
}

/** Sets them again after a charge. */
function addToQuotaHeaders(response: Response, { rows, quotaUsed }: Charged): void {
  const { quota } = exchangeOf(response);
  if (quota === null) throw new Error("A request without a known key was charged");
  quota.cost += rows;
  if (quotaUsed !== undefined) quota.used = quotaUsed;
  tellCost(response);
}

function tellCost(response: Response): void {
  const { quota } = exchangeOf(response);
  if (quota === null || response.headersSent) return;
  response.setHeader("X-Quota-Remaining", leftOf(quota));
  response.setHeader("X-Quota-Cost", quota.cost);
}
