// Requests for access: strangers ask for an account, confirm their address by a mailed link, and the operator decides.
// Owns the table access_request. It promises that nobody learns whether an address has an account, that an address gets one
// account however often it asks, and that a decision is made and mailed once.
import type { Prisma } from "../../generated/prisma/client.ts";
import type { Context } from "../../platform/context.ts";
import { OperatorError } from "../../platform/operator-error.ts";

/** Unconfirmed: the mailed link was not used. Waiting: the account is open and waits for the operator's word. */
export type AccessState = "unconfirmed" | "waiting" | "granted" | "declined";

/** The plan of an account that waits. A plan file may define it; otherwise it has no feeds, no rows and no API. */
export const WAITING_PLAN = "requested";

/** A confirmed request as an operator sees it. */
export interface AccessShown {
  id: number;
  state: AccessState;
  name: string;
  company: string;
  email: string;
  purpose: string;
  wished_plan: string | null;
  requested_at: string;
  confirmed_at: string | null;
  /** The account that it opened; null once it is declined. */
  account_id: number | null;
  decided_at: string | null;
  granted_plan: string | null;
  reason: string | null;
}

/** The key of the advisory lock by which requests are made and confirmed in turn: an address is counted exactly, and gets one account. */
export const REQUESTS_LOCK = 73_100_031;

/** Days that a decided request is kept. */
export const DECIDED_KEPT_DAYS = 90;

/** The confirmed requests, the oldest first: those that wait, or also those decided lately. */
export async function listAccess(
  { db }: Context,
  { areAllWanted, most }: { areAllWanted: boolean; most: number },
): Promise<AccessShown[]> {
  const rows = await db.prisma.accessRequest.findMany({
    where: areAllWanted ? { state: { not: "unconfirmed" } } : { state: "waiting" },
    orderBy: { id: "asc" },
    take: most,
  });
  return rows.map(shown);
}

/** How many requests wait for the operator, and since when. */
export async function accessWaiting({ db }: Context): Promise<{ waiting: number; since: Date | null }> {
  const { _count, _min } = await db.prisma.accessRequest.aggregate({
    where: { state: "waiting" },
    _count: true,
    _min: { confirmedAt: true },
  });
  return { waiting: _count, since: _min.confirmedAt };
}

/** A confirmed request; null if there is none of that number. */
export async function findAccess({ db }: Context, id: number): Promise<AccessShown | null> {
  const row = await db.prisma.accessRequest.findFirst({ where: { id, state: { not: "unconfirmed" } } });
  return row && shown(row);
}

/** The same. OperatorError if there is none. */
export async function readAccess(context: Context, id: number): Promise<AccessShown> {
  const found = await findAccess(context, id);
  if (found === null) throw noRequest(id);
  return found;
}

export const noRequest = (id: number): OperatorError =>
  new OperatorError(`There is no request for access ${id}; "access list --all" shows all.`);

const shown = (row: Prisma.AccessRequestGetPayload<object>): AccessShown => ({
  id: row.id,
  state: row.state as AccessState,
  name: row.name,
  company: row.company,
  email: row.email,
  purpose: row.purpose,
  wished_plan: row.wishedPlan,
  requested_at: row.requestedAt.toISOString(),
  confirmed_at: row.confirmedAt?.toISOString() ?? null,
  account_id: row.accountId,
  decided_at: row.decidedAt?.toISOString() ?? null,
  granted_plan: row.grantedPlan,
  reason: row.reason,
});
