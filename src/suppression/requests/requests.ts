import * as sql from "../../generated/sql/suppression/requests.ts";
import type { Context } from "../../platform/context.ts";
import type { Queryable } from "../../platform/database/statement.ts";
import { OperatorError } from "../../platform/operator-error.ts";
import { isPlainText } from "../../platform/plain-text.ts";
import type { Identifier, IdentifierKind } from "../asked.ts";
import { matchesOf } from "../matching.ts";
import { lockList, putOnList, type ServedFeeds, takeOffList } from "../removal-list.ts";

export type RequestState = "suppressed" | "waiting" | "rejected" | "undone";

/** An identifier of a request as an operator sees it. */
export interface IdentifierShown extends Identifier {
  state: string;
  is_blanked: boolean;
}

/** A removal request as an operator sees it. */
export interface RemovalShown {
  request_id: number;
  requested_at: string;
  state: RequestState;
  /** Without those that were rejected, unless they stay blanked. Empty once the request is undone. */
  identifiers: IdentifierShown[];
  /** How many businesses it removed. */
  businesses: number;
  decided_at: string;
  decision: string;
  reason: string;
}

/** A waiting request with the facts for a decision. */
export interface WaitingRemoval extends RemovalShown {
  /** How many businesses each waiting identifier would remove. */
  would_hide: Partial<Record<IdentifierKind, number>>;
  requester_email: string | null;
  details: string | null;
}

/** All requests, undone ones too, newest first. */
export async function listRemovals(context: Context): Promise<RemovalShown[]> {
  const rows = await sql.listRequests(context.db.bulkPool, { state: null });
  return rows.map(shown);
}

/** The requests that wait for an operator, oldest first. */
export function listWaiting(context: Context): Promise<WaitingRemoval[]> {
  return context.db.bulkTransaction(async (client) => {
    const rows = await sql.listRequests(client, { state: "waiting" });
    const waiting: WaitingRemoval[] = [];
    for (const row of rows.reverse()) waiting.push({ ...shown(row), ...(await evidenceOn(client, row)) });
    return waiting;
  });
}

const shown = (row: sql.ListRequestsRow): RemovalShown => ({
  request_id: row.request_id,
  requested_at: row.requested_at.toISOString(),
  state: row.state,
  identifiers: row.identifiers,
  businesses: row.businesses,
  decided_at: row.decided_at.toISOString(),
  decision: row.decision,
  reason: row.reason,
});

async function evidenceOn(
  client: Queryable,
  { identifiers, requester_email, details }: sql.ListRequestsRow,
): Promise<Pick<WaitingRemoval, "would_hide" | "requester_email" | "details">> {
  const waiting = identifiers.filter(({ state }) => state === "waiting");
  const matches = await matchesOf(client, waiting, { areAllWanted: true });
  const would_hide = Object.fromEntries(matches.map(({ kind, usdots }) => [kind, usdots.length]));
  return { would_hide, requester_email, details };
}

const LONGEST_REASON = 500;

interface Decision {
  decision: "accepted" | "rejected" | "undone";
  requestIds: readonly number[];
  reason: string;
  now: Date;
}

/** The effect of an operator's decision. */
export interface Decided {
  requests: number;
  /** Businesses newly removed, or no longer removed. */
  businesses: number;
}

/** Puts waiting requests into effect: removes every business that their identifiers match, even shared ones. */
export function acceptRemovals(
  context: Context,
  feeds: ServedFeeds,
  requestIds: readonly number[],
  reason: string,
): Promise<Decided> {
  return decide(context, { decision: "accepted", requestIds, reason }, async (client, now) => {
    const rows = await sql.acceptWaiting(client, { requestIds });
    const businesses: { requestId: number; usdot: number }[] = [];
    for (const { requestId, kind, value } of rows) {
      const [match] = await matchesOf(client, [{ kind, value }], { areAllWanted: true });
      businesses.push(...(match?.usdots ?? []).map((usdot) => ({ requestId, usdot })));
    }
    return (await putOnList(client, feeds, { businesses, contacts: [] }, now)).businesses;
  });
}

/** Rejects waiting requests: no business is removed, and a blanked contact stays blanked. Other identifiers are deleted. */
export function rejectRemovals(
  context: Context,
  requestIds: readonly number[],
  reason: string,
): Promise<Decided> {
  return decide(context, { decision: "rejected", requestIds, reason }, async (client) => {
    await sql.rejectWaiting(client, { requestIds });
    return 0;
  });
}

/**
 * Undoes requests: what only they removed is shown again. Of their identifiers only the digests are kept. `shown_again`
 * has a contact for as long as a copy may lack its records.
 */
export const undoRemovals = (
  context: Context,
  requestIds: readonly number[],
  reason: string,
): Promise<Decided> =>
  decide(context, { decision: "undone", requestIds, reason }, (client, now) =>
    takeOffList(client, requestIds, now),
  );

async function decide(
  context: Context,
  decision: Omit<Decision, "now">,
  carryOut: (client: Queryable, now: Date) => Promise<number>,
): Promise<Decided> {
  const { requestIds, reason } = decision;
  if (reason.trim() === "" || [...reason].length > LONGEST_REASON || !isPlainText(reason)) {
    throw new OperatorError(`--reason must have 1 to ${LONGEST_REASON} characters, on one line.`);
  }
  return context.db.bulkTransaction(async (client) => {
    const now = context.clock.now();
    await lockList(client);
    await requireDecidable(client, decision);
    await writeDecisions(client, { ...decision, now });
    const businesses = await carryOut(client, now);
    context.log.info({ ...decision, businesses }, "An operator decided on removal requests.");
    return { requests: new Set(requestIds).size, businesses };
  });
}

async function requireDecidable(
  client: Queryable,
  { decision, requestIds }: Omit<Decision, "now">,
): Promise<void> {
  const rows = await sql.requestStates(client, { requestIds });
  for (const { id, isKnown, isOpen, isWaiting } of rows) {
    if (!isKnown) throw new OperatorError(`There is no removal request ${id}; "removal list" shows them.`);
    if (!isOpen) throw new OperatorError(`The removal request ${id} is already undone.`);
    if (decision !== "undone" && !isWaiting) {
      throw new OperatorError(
        `The removal request ${id} does not wait for a decision; "removal review" lists the requests that do.`,
      );
    }
  }
}

const writeDecisions = (client: Queryable, { decision, requestIds, reason, now }: Decision) =>
  sql.writeDecisions(client, { requestIds, decision, now, reason: reason.trim() });
