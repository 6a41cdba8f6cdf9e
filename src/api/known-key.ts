import type { Request, Response } from "express";
import {
  type Admission,
  admit,
  admitToFeeds,
  type FeedAdmission,
  type KnownKey,
} from "../accounts/keys/admission.ts";
import { requireApiAccess } from "../accounts/keys/api-access.ts";
import type { Caller, KnownRows, RateState } from "../accounts/keys/caller.ts";
import { countRequest } from "../accounts/usage/usage-counter.ts";
import type { EntryContext } from "../platform/context.ts";
import { ProblemError } from "../platform/http/problem.ts";
import { exchangeOf } from "./exchange.ts";
import { answerError } from "./problem-answer.ts";
import { addToQuotaHeaders, openQuotaHeaders } from "./quota-headers.ts";

/**
 * Finds the caller by the key in X-API-Key and counts the request in the key's minute. Throws the first of these
 * ProblemErrors that applies: invalid_api_key, revoked_api_key, rate_limited, plan_has_no_api_access.
 */
export async function admittedCaller(
  context: EntryContext,
  request: Request,
  response: Response,
): Promise<Caller> {
  const key = await knownKey(context, response, request.get("x-api-key"));
  countAdmitted(context, response, key);
  return callerWithAccess(response, key);
}

/** The same for a request that reads a feed; see `admitToFeeds`. */
export async function callerOfFeeds(
  context: EntryContext,
  request: Request,
  response: Response,
  knownRows: KnownRows | null,
): Promise<FeedAdmission & { caller: Caller }> {
  const key = requireKnown(response, await admitToFeeds(context, request.get("x-api-key"), knownRows));
  countAdmitted(context, response, key);
  const caller = callerWithAccess(response, key);
  // `countAdmitted` throws for every other outcome.
  const { snapshot, isCharged } = key as Extract<typeof key, FeedAdmission>;
  return { caller, snapshot, isCharged };
}

/**
 * Counts the request in the minute of the presented key and sets the rate and quota headers. ProblemError invalid_api_key, which
 * says how a key is sent, or revoked_api_key.
 */
export async function knownKey(
  context: EntryContext,
  response: Response,
  presentedKey: string | undefined,
  howToSend?: string,
): Promise<KnownKey> {
  return requireKnown(response, await admit(context, presentedKey), howToSend);
}

function requireKnown<More>(
  response: Response,
  admission: Admission<More>,
  howToSend = "in the header X-API-Key",
): KnownKey<More> {
  if (admission.outcome === "invalid_key") {
    throw new ProblemError("invalid_api_key", `Send a valid API key ${howToSend}.`);
  }
  if (admission.outcome === "revoked_key") {
    throw new ProblemError("revoked_api_key", "This API key was revoked. Use another key of the account.");
  }
  setKeyHeaders(response, admission);
  return admission;
}

/** Counts an admitted request in the usage of its account. ProblemError rate_limited. */
export function countAdmitted(context: EntryContext, response: Response, key: KnownKey): void {
  requireRate(context, key);
  countRequest(context, key.caller);
  exchangeOf(response).isCounted = true;
}

/** The caller whose charges the answer tells. ProblemError plan_has_no_api_access. */
export function callerWithAccess(response: Response, { caller }: KnownKey): Caller {
  requireApiAccess(caller);
  return { ...caller, onCharge: (charged) => addToQuotaHeaders(response, charged) };
}

/**
 * Answers a request that no operation matches with `problem`, and sets `headers` on that answer. A request with a valid
 * key counts in the key's minute like any other, so its answer has the rate and quota headers too.
 */
export async function refuseRequest(
  context: EntryContext,
  request: Request,
  response: Response,
  problem: ProblemError,
  headers: Readonly<Record<string, string>> = {},
): Promise<void> {
  try {
    const admission = await admit(context, request.get("x-api-key"));
    if (isKnown(admission)) {
      setKeyHeaders(response, admission);
      requireRate(context, admission);
    }
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    throw problem;
  } catch (error) {
    answerError(context, response, error);
  }
}

const isKnown = (admission: Admission): admission is KnownKey => "caller" in admission;

/** ProblemError rate_limited when the minute's requests are used up. */
export function requireRate(context: EntryContext, { outcome, rate }: KnownKey): void {
  if (outcome === "rate_limited") throw rateLimited(context, rate);
}

function setKeyHeaders(response: Response, { caller, rate, quota }: KnownKey): void {
  exchangeOf(response).caller = caller;
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
