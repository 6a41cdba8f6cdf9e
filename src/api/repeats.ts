// A page of records that a key asked for before. Its answer is sent again by one statement: admission, which charges its
// rows if the plan, the served versions and the removal list are still the same. Otherwise the request goes its usual way.
import type { Request, Response } from "express";
import { LRUCache } from "lru-cache";
import type { Caller, Snapshot } from "../accounts/keys/caller.ts";
import { type Grant, isAllowedFrom, requireScope } from "../accounts/keys/grant.ts";
import { type AnsweredPage, findAgain, pageAgain } from "../feeds/records/records.ts";
import { operationTable } from "../generated/operations.ts";
import type { EntryContext } from "../platform/context.ts";
import { clientAddressOf } from "../platform/http/client.ts";
import { sendAnswer } from "./answer.ts";
import { exchangeOf } from "./exchange.ts";
import { type AdmittedCaller, admittedCaller } from "./known-key.ts";

/** Pages that were answered, by key and address. */
export type Repeats = LRUCache<string, { page: AnsweredPage; snapshot: Snapshot; grant: Grant }>;

const MOST_KEPT = 1_000;
/** Longer addresses are not kept, to bound the memory. */
const LONGEST_URL = 500;

export const createRepeats = (): Repeats => new LRUCache({ max: MOST_KEPT });

/** Keeps a page that was answered to a caller with this snapshot. */
export function keepPage(
  repeats: Repeats,
  request: Request,
  page: AnsweredPage,
  { snapshot, caller: { grant } }: { snapshot: Snapshot; caller: Caller },
): void {
  const name = nameOf(request);
  if (name !== null) repeats.set(name, { page, snapshot, grant });
}

/**
 * Answers a request whose page is kept, if its admission charges its rows. Else it returns the caller that was admitted,
 * or null when nothing was done.
 */
export async function answerAgain(
  context: EntryContext,
  repeats: Repeats,
  request: Request,
  response: Response,
): Promise<"answered" | AdmittedCaller | null> {
  const name = nameOf(request);
  const kept = name === null ? undefined : repeats.get(name);
  const found = kept && findAgain(context, kept.page);
  if (!kept || !found || !isFromOwnNetwork(context, request, kept.grant)) return null;
  exchangeOf(response).operation = "readRecords";
  const knownRows = { rows: found.rows, snapshot: kept.snapshot };
  const admitted = await admittedCaller(context, request, response, knownRows);
  if (!admitted.isCharged) return admitted;
  requireScope(admitted.caller, operationTable.readRecords.scope);
  const answer = pageAgain(context, admitted.caller, kept.page, found);
  await sendAnswer(request, response, operationTable.readRecords, answer);
  return "answered";
}

/** Whether the key may be used from the client's address: else admission refuses the request, and nothing may be charged. */
const isFromOwnNetwork = ({ config }: EntryContext, request: Request, grant: Grant): boolean =>
  isAllowedFrom(grant, clientAddressOf(request, config.trustProxyHops));

/** Null for a request that may have another answer than the last one, or none that is charged. */
function nameOf({ method, headers, originalUrl }: Request): string | null {
  const key = headers["x-api-key"];
  const isRepeatable =
    method === "GET" &&
    typeof key === "string" &&
    headers["if-none-match"] === undefined &&
    originalUrl.length <= LONGEST_URL;
  // The part of the key that may be shown. Admission checks the secret, also of a repeated request.
  return isRepeatable ? `${key.slice(0, SHOWN_PART)} ${originalUrl}` : null;
}

const SHOWN_PART = "tdf_live_".length + 8;
