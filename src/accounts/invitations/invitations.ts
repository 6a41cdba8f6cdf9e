// Invitations: an owner asks an address into the account. The link in the mail signs in and accepts, once. Nothing that an
// owner sees tells whether the address belongs to another account.
import * as sql from "../../generated/sql/accounts/invitations.ts";
import { DAY_MS } from "../../platform/clock.ts";
import type { Context } from "../../platform/context.ts";
import type { Queryable } from "../../platform/database/statement.ts";
import { ProblemError } from "../../platform/http/problem.ts";
import { mailboxOf } from "../../platform/mail/address.ts";
import { queueMail } from "../../platform/mail/outbox.ts";
import { countedSince } from "../../platform/mail/strangers-mail.ts";
import { OperatorError } from "../../platform/operator-error.ts";
import { WAITING_PLAN } from "../access/requests.ts";
import { checkedEmail } from "../accounts.ts";
import { eraseInvitationsTo, INVITED } from "../erased-mails.ts";
import { recordAction } from "../people/account-log.ts";
import { insertPerson, lockPeople, requireNew, requireRoom } from "../people/people.ts";
import { type Role, roleSentence } from "../people/roles.ts";
import { hashPresented, hashToken, newToken, type Session, startSession } from "../sessions/sessions.ts";

/** How long an invitation can be accepted. */
export const INVITATION_DAYS = 7;

/** Invitations that an account may mail in an hour, those that are sent again included. */
export const INVITATIONS_PER_HOUR = 20;

/** Invitations that an account may mail to one mailbox in a day. */
export const INVITATIONS_PER_MAILBOX_AND_DAY = 3;

export type InvitationShown = sql.InvitationsOfRow;

/** The person who invites, and the account. */
type Inviter = Pick<Session, "accountId" | "accountName" | "person">;

/** The invitations of an account that nobody has accepted or withdrawn, the oldest first. */
export const listInvitations = ({ db }: Context, accountId: number): Promise<InvitationShown[]> =>
  sql.invitationsOf(db.pool, { accountId });

/**
 * Mails an invitation. An invitation to the same address before ends. OperatorError for an invalid address, one of a person in
 * the account, too many people, or an account that waits for the operator's word; ProblemError rate_limited.
 */
export async function invite(
  context: Context,
  inviter: Inviter,
  asked: { email: string; role: Role },
): Promise<void> {
  const email = checkedEmail(asked.email);
  await context.db.transaction(async (client) => {
    const people = await lockPeople(client, inviter);
    requireNew(people, email);
    await requireRoom(client, inviter.accountId, { people, email });
    await send(context, client, inviter, { email, role: asked.role });
  });
}

/**
 * Mails an invitation again, with another link. Returns its address; null when the account has no such invitation. OperatorError
 * for an account that waits for the operator's word; ProblemError rate_limited.
 */
export async function inviteAgain(context: Context, inviter: Inviter, id: number): Promise<string | null> {
  return context.db.transaction(async (client) => {
    await lockPeople(client, inviter);
    const waiting = await sql.invitationsOf(client, { accountId: inviter.accountId });
    const invitation = waiting.find((each) => each.id === id);
    if (invitation === undefined) return null;
    await send(context, client, inviter, invitation);
    return invitation.email;
  });
}

/**
 * Withdraws an invitation: its link ends, and its mail is not sent if it still waits. Returns its address; null when the account
 * has no such invitation.
 */
export async function withdrawInvitation(
  context: Context,
  inviter: Inviter,
  id: number,
): Promise<string | null> {
  return context.db.transaction(async (client) => {
    await lockPeople(client, inviter);
    const withdrawn = await sql.withdraw(client, { accountId: inviter.accountId, id });
    if (withdrawn === undefined) return null;
    const now = context.clock.now();
    await eraseInvitationsTo(client, [withdrawn], now);
    await recordAction(client, inviter, { action: "invitation_withdrawn", subject: withdrawn.email, now });
    return withdrawn.email;
  });
}

/** What an invitation's link offers; null when it was used or withdrawn, has expired or is unknown. */
export async function invitationOf(
  context: Context,
  token: string,
): Promise<{ accountName: string; email: string; role: Role; invitedBy: string } | null> {
  const tokenHash = hashPresented(token);
  if (tokenHash === null) return null;
  const found = await context.db.prisma.invitation.findUnique({
    where: { tokenHash: new Uint8Array(tokenHash), expiresAt: { gt: context.clock.now() } },
    select: { email: true, role: true, invitedBy: true, account: { select: { name: true } } },
  });
  if (found === null) return null;
  const { account, email, role, invitedBy } = found;
  return { accountName: account.name, email, role: role as Role, invitedBy };
}

/** Accepts an invitation and signs in. Returns the session's token; null when the link is no longer valid. */
export async function acceptInvitation(context: Context, token: string): Promise<string | null> {
  const tokenHash = hashPresented(token);
  if (tokenHash === null) return null;
  const now = context.clock.now();
  const where = { tokenHash: new Uint8Array(tokenHash) };
  const found = await context.db.prisma.invitation.findUnique({ where, select: { accountId: true } });
  if (found === null) return null;
  const { accountId } = found;
  return context.db.transaction(async (client) => {
    // The account is locked before the invitation, as in the other changes of people.
    await lockPeople(client, { accountId });
    const invitation = await sql.takeInvitation(client, { tokenHash, now });
    if (invitation === undefined) return null;
    const { email, role } = invitation;
    const person = await insertPerson(client, { accountId, email, role, joinedAt: now });
    await recordAction(client, { accountId, person }, { action: "joined", subject: person.role, now });
    return startSession(client, { personId: person.id, now });
  });
}

async function send(
  context: Context,
  client: Queryable,
  inviter: Inviter,
  { email, role }: { email: string; role: Role },
): Promise<void> {
  const now = context.clock.now();
  await requireGranted(client, inviter.accountId);
  await requireBelowRate(client, { accountId: inviter.accountId, email, now });
  // The link before ends, so its mail is not sent if it still waits.
  await sql.endInvitationTo(client, { accountId: inviter.accountId, email, now });
  await eraseInvitationsTo(client, [{ email }], now);
  const token = newToken();
  await sql.putInvitation(client, {
    accountId: inviter.accountId,
    email,
    role,
    invitedBy: inviter.person.email,
    tokenHash: hashToken(token),
    now,
    expiresAt: new Date(now.getTime() + INVITATION_DAYS * DAY_MS),
  });
  await recordAction(client, inviter, { action: "invited", subject: `${email}: ${role}`, now });
  await queueMail(client, {
    purpose: INVITED,
    recipient: email,
    now,
    subject: "You are invited to an account of Trucking Data Feed",
    body: invitationText(inviter, role, `${context.config.publicUrl}/dashboard/invitations/${token}`),
  });
}

/** OperatorError while nobody has granted the account access. */
async function requireGranted(client: Queryable, accountId: number): Promise<void> {
  const lack = invitingLack(await sql.planOf(client, { accountId }));
  if (lack !== null) throw new OperatorError(lack);
}

/** Why an account on this plan can invite nobody: the mail would have its name, which a stranger typed. Null when it can. */
export const invitingLack = ({ planCode }: { planCode: string }): string | null =>
  planCode === WAITING_PLAN
    ? "You can invite people once your request for access is granted. Until then your account can mail no invitations."
    : null;

/** ProblemError rate_limited when the account mailed as many invitations as it may in an hour, or to the mailbox in a day. */
async function requireBelowRate(
  client: Queryable,
  { accountId, email, now }: { accountId: number; email: string; now: Date },
): Promise<void> {
  const { dayAgo, hourAgo } = countedSince(now);
  const invited = await sql.invitedSince(client, { accountId, since: dayAgo });
  const inHour = invited.filter(({ at }) => at > hourAgo);
  const toMailbox = invited.filter((mailed) => mailboxOf(mailed.email) === mailboxOf(email));
  requireFewer(inHour, {
    most: INVITATIONS_PER_HOUR,
    since: hourAgo,
    rule: `An account may mail ${INVITATIONS_PER_HOUR} invitations an hour.`,
  });
  requireFewer(toMailbox, {
    most: INVITATIONS_PER_MAILBOX_AND_DAY,
    since: dayAgo,
    rule: `An account may mail ${INVITATIONS_PER_MAILBOX_AND_DAY} invitations a day to one address.`,
  });
}

function requireFewer(
  mailed: readonly { at: Date }[],
  { most, since, rule }: { most: number; since: Date; rule: string },
): void {
  const [first] = mailed;
  if (first === undefined || mailed.length < most) return;
  const retryAfterSeconds = Math.max(1, Math.ceil((first.at.getTime() - since.getTime()) / 1000));
  const detail = `${rule} Try again in ${Math.ceil(retryAfterSeconds / 60)} min.`;
  throw new ProblemError("rate_limited", detail, { retryAfterSeconds });
}

const invitationText = ({ accountName, person }: Inviter, role: Role, url: string): string =>
  `${person.email} invites you to the account ${accountName}, as its ${role}. ${roleSentence(role)}

Accept the invitation and sign in to the dashboard:

${url}

The link works once, within ${INVITATION_DAYS} days. If you do not know the account, you need not do anything.
`;
