import type { Context } from "../../platform/context.ts";
import type { Queryable } from "../../platform/database/statement.ts";
import { matchesOf } from "../matching.ts";
import type { Identifier, IdentifierKind } from "./asked.ts";
import * as sql from "./statements.ts";

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
  /** Empty once the request is undone. */
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
  const { rows } = await sql.listRequests.run(context.db.bulkPool, { state: null });
  return rows.map(shown);
}

/** The requests that wait for an operator, oldest first. */
export function listWaiting(context: Context): Promise<WaitingRemoval[]> {
  return context.db.bulkTransaction(async (client) => {
    const { rows } = await sql.listRequests.run(client, { state: "waiting" });
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
