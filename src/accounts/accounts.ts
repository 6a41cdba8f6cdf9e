// Customers: their accounts, plans, keys, limits, usage and dashboard sessions.
// Owns the tables of prisma/schema/accounts.prisma.
// Limits and quotas are exact over any number of processes, and a revoked key is refused at once.
import { randomInt } from "node:crypto";
import * as sql from "../generated/sql/accounts.ts";
import type { Context } from "../platform/context.ts";
import type { Queryable } from "../platform/database/statement.ts";
import { ProblemError } from "../platform/http/problem.ts";
import { isMailAddress } from "../platform/mail/address.ts";
import { OperatorError } from "../platform/operator-error.ts";
import { checkedText } from "./checked-text.ts";

/** A customer. */
export interface AccountShown {
  id: number;
  name: string;
  /** The address of its first owner; empty once it is erased. */
  email: string;
  /** Code of its plan. */
  plan: string;
  licence_ref: string;
  created_at: string;
  suspension: string | null;
  closed_at: string | null;
}

/** Opens an account on an existing plan. Throws OperatorError for an unknown plan or an invalid name or e-mail. */
export async function createAccount(
  context: Context,
  account: { name: string; email: string; planCode: string },
): Promise<AccountShown> {
  const name = checkedText("name", account.name, 200);
  const email = checkedEmail(account.email);
  await requirePlan(context, account.planCode);
  const { planCode } = account;
  return context.db.transaction((client) =>
    openAccount(client, { name, email, planCode }, context.clock.now()),
  );
}

/** Opens an account with its first owner in the caller's transaction, with checked texts and the code of a plan that there is. */
export async function openAccount(
  client: Queryable,
  account: { name: string; email: string; planCode: string },
  now: Date,
): Promise<AccountShown> {
  return shownAccount(await sql.insertAccount(client, { ...account, licenceRef: newLicenceRef(), now }));
}

/**
 * Locks an open account until the caller's transaction ends, to count what it has and then add to it. Without the lock, parallel
 * requests all see the same count. ProblemError revoked_api_key when the account was closed since the request was admitted.
 */
export async function lockAccount(client: Queryable, accountId: number): Promise<void> {
  if (await lockOpenAccount(client, accountId)) return;
  throw new ProblemError("revoked_api_key", ACCOUNT_IS_CLOSED);
}

/** The same; false for a closed account. */
export const lockOpenAccount = async (client: Queryable, accountId: number): Promise<boolean> =>
  (await sql.lockOpenAccount(client, { accountId })) > 0;

export const ACCOUNT_IS_CLOSED = "The account is closed, so nothing was changed.";

/** Every account, or those with these ids, oldest first. */
export async function listAccounts(context: Context, ids?: readonly number[]): Promise<AccountShown[]> {
  const where = ids === undefined ? {} : { id: { in: [...ids] } };
  const accounts = await context.db.prisma.account.findMany({
    where,
    orderBy: { id: "asc" },
    include: FIRST_OWNER,
  });
  return accounts.map((account) => shownAccount(withEmail(account)));
}

/** The account with that id. Throws OperatorError if there is none. */
export async function readAccount(context: Context, accountId: number): Promise<AccountShown> {
  const account = await context.db.prisma.account.findUnique({
    where: { id: accountId },
    include: FIRST_OWNER,
  });
  if (account === null) throw noAccount(accountId);
  return shownAccount(withEmail(account));
}

/** The account, unless it is closed. OperatorError then. */
export function requireOpenAccount(account: AccountShown): AccountShown {
  if (account.closed_at === null) return account;
  throw new OperatorError(
    `The account ${account.id} was closed on ${account.closed_at.slice(0, 10)}; open a new one.`,
  );
}

const noAccount = (accountId: number): OperatorError =>
  new OperatorError(`There is no account ${accountId}; "account list" shows all accounts.`);

/** Moves an account to another plan, from its next request on. */
export async function setPlan(context: Context, accountId: number, planCode: string): Promise<AccountShown> {
  await requirePlan(context, planCode);
  requireOpenAccount(await readAccount(context, accountId));
  return context.db.transaction((client) =>
    movePlan(client, { accountId, planCode, now: context.clock.now() }),
  );
}

/** Moves an account to another plan in the caller's transaction. OperatorError if there is no such account. */
export async function movePlan(
  client: Queryable,
  { accountId, planCode, now }: { accountId: number; planCode: string; now: Date },
): Promise<AccountShown> {
  const changed = await sql.movePlan(client, { accountId, planCode, now });
  if (changed === undefined) throw noAccount(accountId);
  return shownAccount(changed);
}

/** OperatorError if there is no plan of that code, with the plans to choose from: all `besides` that one. */
export async function requirePlan(
  context: Context,
  code: string,
  { besides }: { besides?: string } = {},
): Promise<void> {
  const plans = await context.db.prisma.plan.findMany({ select: { code: true }, orderBy: { code: "asc" } });
  const codes = plans.map((plan) => plan.code);
  if (codes.includes(code)) return;
  const offered = codes.filter((each) => each !== besides);
  const choice =
    offered.length > 0 ? `choose one of ${offered.join(", ")}` : 'there is none yet: run "plan apply" first';
  throw new OperatorError(`There is no plan "${code}"; ${choice}.`);
}

// Without I, L, O, U, 0 and 1: people read a licence reference out over the telephone.
const UNAMBIGUOUS = "ABCDEFGHJKMNPQRSTVWXYZ23456789";

const newLicenceRef = (): string =>
  `LIC-${Array.from({ length: 10 }, () => UNAMBIGUOUS.charAt(randomInt(UNAMBIGUOUS.length))).join("")}`;

/** An e-mail address, trimmed. OperatorError for a text of another form. */
export function checkedEmail(text: string): string {
  const email = text.trim();
  if (isMailAddress(email)) return email;
  throw new OperatorError(
    "The e-mail address must look like name@company.example, with at most 254 characters.",
  );
}

const FIRST_OWNER = {
  people: { where: { role: "owner" }, orderBy: { id: "asc" }, take: 1, select: { email: true } },
} as const;

const withEmail = <A extends { people: { email: string }[] }>(account: A) => ({
  ...account,
  email: account.people[0]?.email ?? "",
});

const shownAccount = (account: {
  id: number;
  name: string;
  email: string;
  planCode: string;
  licenceRef: string;
  createdAt: Date;
  suspension: string | null;
  closedAt: Date | null;
}): AccountShown => ({
  id: account.id,
  name: account.name,
  email: account.email,
  plan: account.planCode,
  licence_ref: account.licenceRef,
  created_at: account.createdAt.toISOString(),
  suspension: account.suspension,
  closed_at: account.closedAt?.toISOString() ?? null,
});
