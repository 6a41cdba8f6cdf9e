import type { Context } from "../../platform/context.ts";
import type { Queryable } from "../../platform/database/statement.ts";
import { OperatorError } from "../../platform/operator-error.ts";
import { isPlainText } from "../../platform/plain-text.ts";
import { matchesOf } from "../matching.ts";
import { lockList, putOnList, takeOffList } from "../removal-list.ts";
import * as sql from "./statements.ts";

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
  requestIds: readonly number[],
  reason: string,
): Promise<Decided> {
  return decide(context, { decision: "accepted", requestIds, reason }, async (client, now) => {
    const { rows } = await sql.acceptWaiting.run(client, { requestIds });
    const businesses: { requestId: number; usdot: number }[] = [];
    for (const { requestId, kind, value } of rows) {
      const [match] = await matchesOf(client, [{ kind, value }], { areAllWanted: true });
      businesses.push(...(match?.usdots ?? []).map((usdot) => ({ requestId, usdot })));
    }
    return (await putOnList(client, { businesses, contacts: [] }, now)).businesses;
  });
}

/** Rejects waiting requests: no business is removed, and a blanked contact stays blanked. */
export function rejectRemovals(
  context: Context,
  requestIds: readonly number[],
  reason: string,
): Promise<Decided> {
  return decide(context, { decision: "rejected", requestIds, reason }, async (client) => {
    await sql.rejectWaiting.run(client, { requestIds });
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
  if (reason.trim() === "" || reason.length > LONGEST_REASON || !isPlainText(reason)) {
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
  const { rows } = await sql.requestStates.run(client, { requestIds });
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
  sql.writeDecisions.run(client, { requestIds, decision, now, reason: reason.trim() });
