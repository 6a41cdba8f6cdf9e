import type pg from "pg";
import type { Context } from "../../platform/context.ts";
import { OperatorError } from "../../platform/operator-error.ts";
import { isPlainText } from "../../platform/plain-text.ts";
import { matchesOf } from "../matching.ts";
import { lockList, putOnList, takeOffList } from "../removal-list.ts";
import type { Identifier } from "./asked.ts";

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
    const { rows } = await client.query<Identifier & { requestId: number }>(
      `UPDATE removal_identifier SET state = 'accepted'
       WHERE request_id = ANY ($1) AND state = 'waiting'
       RETURNING request_id AS "requestId", kind, value`,
      [requestIds],
    );
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
    await client.query(
      "UPDATE removal_identifier SET state = 'rejected' WHERE request_id = ANY ($1) AND state = 'waiting'",
      [requestIds],
    );
    return 0;
  });
}

/** Undoes requests: what only they removed is shown again. Of their identifiers only the digests are kept. */
export const undoRemovals = (
  context: Context,
  requestIds: readonly number[],
  reason: string,
): Promise<Decided> =>
  decide(context, { decision: "undone", requestIds, reason }, (client) => takeOffList(client, requestIds));

async function decide(
  context: Context,
  decision: Omit<Decision, "now">,
  carryOut: (client: pg.ClientBase, now: Date) => Promise<number>,
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
  client: pg.ClientBase,
  { decision, requestIds }: Omit<Decision, "now">,
): Promise<void> {
  const { rows } = await client.query<{ id: number; isKnown: boolean; isOpen: boolean; isWaiting: boolean }>(
    `SELECT asked.id,
       EXISTS (SELECT FROM removal_request WHERE removal_request.id = asked.id) AS "isKnown",
       EXISTS (SELECT FROM removal_identifier WHERE request_id = asked.id) AS "isOpen",
       EXISTS (SELECT FROM removal_identifier WHERE request_id = asked.id AND state = 'waiting') AS "isWaiting"
     FROM unnest($1::bigint[]) AS asked (id)`,
    [requestIds],
  );
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

const writeDecisions = (client: pg.ClientBase, { decision, requestIds, reason, now }: Decision) =>
  client.query(
    `INSERT INTO removal_decision (request_id, decision, decided_at, decided_by, reason)
     SELECT DISTINCT id, $2, $3::timestamptz, 'operator', $4 FROM unnest($1::bigint[]) AS asked (id)`,
    [requestIds, decision, now, reason.trim()],
  );
