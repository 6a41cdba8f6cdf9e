import * as sql from "../../generated/sql/accounts/access.ts";
import type { Context } from "../../platform/context.ts";
import type { Queryable } from "../../platform/database/statement.ts";
import { queueMail } from "../../platform/mail/outbox.ts";
import { OperatorError } from "../../platform/operator-error.ts";
import { type endAccount, eraseUsage } from "../account-life.ts";
import { movePlan, requirePlan } from "../accounts.ts";
import { checkedText } from "../checked-text.ts";
import { type AccessShown, noRequest, readAccess, WAITING_PLAN } from "./requests.ts";

/** A request that an operator decided. `was_decided`: it was granted or declined so already, and nothing was changed. */
export interface AccessDecided extends AccessShown {
  was_decided: boolean;
}

/**
 * Puts the account of a request on a plan, and mails the person. Granting the same plan again does nothing. OperatorError
 * for an unknown plan, a suspended account, or a request that does not wait.
 */
export async function grantAccess(context: Context, id: number, planCode: string): Promise<AccessDecided> {
  if (planCode === WAITING_PLAN)
    throw new OperatorError(`The plan ${WAITING_PLAN} is that of accounts that wait.`);
  await requirePlan(context, planCode, { besides: WAITING_PLAN });
  const wasDecided = await context.db.transaction(async (client) => {
    const { state, email, company, accountId, grantedPlan, isSuspended } = await lockedRequest(client, id);
    if (state === "granted" && grantedPlan === planCode) return true;
    if (state !== "waiting" || accountId === null) throw decided(id, { state, grantedPlan, accountId });
    if (isSuspended) {
      throw new OperatorError(
        `Account ${accountId} is suspended, so its keys would be refused: "account resume ${accountId}" first.`,
      );
    }
    const now = context.clock.now();
    await movePlan(client, { accountId, planCode, now });
    await sql.grantRequest(client, { id, planCode, now });
    await queueMail(client, {
      purpose: "access_granted",
      recipient: email,
      now,
      subject: "Your access to Trucking Data Feed is granted",
      body: grantedText(company, context.config.publicUrl),
    });
    return false;
  });
  return { ...(await readAccess(context, id)), was_decided: wasDecided };
}

/**
 * Declines a request, mails the person the reason, and closes the account with everything that it has, by `end`: endpoints and
 * watchlists too, which the plan file may allow. Declining again does nothing. OperatorError for an invalid reason, or a request
 * that does not wait or whose account got another plan.
 */
export async function declineAccess(
  context: Context,
  id: number,
  text: string,
  end: (...account: Parameters<typeof endAccount>) => Promise<unknown>,
): Promise<AccessDecided> {
  const reason = checkedText("reason", text, 500);
  const closed = await context.db.transaction(async (client) => {
    const { state, email, accountId, grantedPlan, planCode } = await lockedRequest(client, id);
    if (state === "declined") return null;
    if (state !== "waiting" || accountId === null) throw decided(id, { state, grantedPlan, accountId });
    if (planCode !== WAITING_PLAN) {
      throw new OperatorError(
        `Account ${accountId} is on plan ${planCode} already: grant the request with that plan, or close the account.`,
      );
    }
    const now = context.clock.now();
    await sql.declineRequest(client, { id, reason, now });
    await end(client, { accountId, erases: true, now });
    await queueMail(client, {
      purpose: "access_declined",
      recipient: email,
      now,
      subject: "Your request for access to Trucking Data Feed",
      body: declinedText(reason),
    });
    return accountId;
  });
  if (closed !== null) await eraseUsage(context, closed);
  return { ...(await readAccess(context, id)), was_decided: closed === null };
}

async function lockedRequest(client: Queryable, id: number): Promise<sql.LockRequestRow> {
  const request = await sql.lockRequest(client, { id });
  if (request === undefined || request.state === "unconfirmed") throw noRequest(id);
  return request;
}

const decided = (
  id: number,
  { state, grantedPlan, accountId }: Pick<sql.LockRequestRow, "state" | "grantedPlan" | "accountId">,
): OperatorError =>
  new OperatorError(
    state === "granted"
      ? `The request ${id} was granted with the plan ${grantedPlan}; "account set-plan ${accountId}" changes the plan.`
      : `The request ${id} was declined; "account create" opens an account.`,
  );

const grantedText = (company: string, publicUrl: string): string =>
  `The account ${company} has live data now. Sign in and make a key:

${publicUrl}/dashboard

The guide leads from the key to the first records: ${publicUrl}/docs/start
`;

const declinedText = (reason: string): string =>
  `We cannot give you access to Trucking Data Feed at the moment:

${reason}

The account that waited is closed, and what it had is erased.
`;
