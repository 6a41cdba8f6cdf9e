// Signing in to the dashboard: a link mailed to a person's address, valid once and for a short time. One link serves all
// accounts of the address: the person chooses one afterwards.

import * as sql from "../../generated/sql/accounts/sessions.ts";
import type { Context } from "../../platform/context.ts";
import type { Queryable } from "../../platform/database/statement.ts";
import { type ClientLimit, clientDigest, countClient } from "../../platform/http/client.ts";
import { isMailAddress } from "../../platform/mail/address.ts";
import { queueMail } from "../../platform/mail/outbox.ts";
import { checkedEmail, readAccount, requireOpenAccount } from "../accounts.ts";
import { eraseMailsTo } from "../erased-mails.ts";
import { listPeople, personNamed, requireNew } from "../people/people.ts";
import { hashPresented, hashToken, newToken } from "./sessions.ts";

/** How long a sign-in link is valid. */
export const SIGN_IN_LINK_MINUTES = 15;

/** Maximum of mailed links, of an account or of the operator, that are valid at the same time. */
const LINKS_AT_ONCE = 3;

/** Maximum of such links within the time that a link is valid, used ones too: who uses each must not get a flood of mails. */
const LINKS_IN_TIME = 10;

/** Whether another link may be mailed after so many in that time, of which so many are unused. */
export const mayMailLink = ({ links, unused }: { links: number; unused: number }): boolean =>
  unused < LINKS_AT_ONCE && links < LINKS_IN_TIME;

/** Enough for an office behind one address, and too few to try out addresses. */
const CLIENT_LIMIT: ClientLimit = {
  table: "sign_in_client",
  most: 20,
  windowMinutes: SIGN_IN_LINK_MINUTES,
  refusal: (retryAfterSeconds) =>
    `Your network has requested too many links by mail. Try again in ${Math.ceil(retryAfterSeconds / 60)} min.`,
};

/** Maximum of accounts that a mail names. */
const ACCOUNTS_NAMED = 20;

/** Counts that a client asks for a link. ProblemError rate_limited if it asks too often. */
export const countSignIn = (context: Context, clientAddress: string): Promise<void> =>
  countClient(context, CLIENT_LIMIT, clientDigest(context, clientAddress));

/** The URL of a sign-in link. */
const signInUrl = (context: Context, token: string): string =>
  `${context.config.publicUrl}/dashboard/sign-in/${token}`;

/**
 * Mails a link to this address if it belongs to an account. Returns nothing, so that nobody learns whether it does. Throws
 * ProblemError rate_limited for a client that asks too often.
 */
export async function requestSignIn(context: Context, clientAddress: string, email: string): Promise<void> {
  await countSignIn(context, clientAddress);
  const address = email.trim();
  if (!isMailAddress(address)) return;
  await context.db.transaction(async (client) => {
    const now = context.clock.now();
    const people = await sql.lockPeopleOfAddress(client, { email: address, most: ACCOUNTS_NAMED });
    const [person] = people;
    if (person === undefined) return;
    const made = await sql.countLinks(client, {
      email: address,
      after: new Date(now.getTime() - SIGN_IN_LINK_MINUTES * 60_000),
      before: new Date(now.getTime() + SIGN_IN_LINK_MINUTES * 60_000),
    });
    if (!mayMailLink(made)) return;
    const token = await insertLink(client, person.id, now);
    const names = people.map(({ name }) => name);
    await queueMail(client, {
      purpose: "sign_in",
      recipient: person.email,
      now,
      subject: "Sign in to Trucking Data Feed",
      body: signInText(names, signInUrl(context, token)),
    });
  });
}

/** A link that is not mailed, for operators and the demo: of the person with that address, else of the first owner. */
export const signInLink = async (context: Context, accountId: number, email?: string): Promise<string> => {
  requireOpenAccount(await readAccount(context, accountId));
  const person =
    email === undefined ? await firstOwner(context, accountId) : await personNamed(context, accountId, email);
  return signInUrl(context, await insertLink(context.db.pool, person.id, context.clock.now()));
};

/** The owner of an open account who joined first. */
async function firstOwner(context: Context, accountId: number) {
  const owner = (await listPeople(context, accountId)).find(({ role }) => role === "owner");
  if (owner === undefined) throw new Error(`The account ${accountId} has no owner`);
  return owner;
}

/** How long the link is valid that confirms a new address. */
export const NEW_EMAIL_HOURS = 72;

/**
 * Mails a link to the new address of an account's first owner, and returns it. The address counts once the link is used. Only
 * the newest one can be. OperatorError for an invalid address, one of another person of the account, or no open account.
 */
export async function requestNewEmail(context: Context, accountId: number, text: string): Promise<string> {
  const newEmail = checkedEmail(text);
  const account = requireOpenAccount(await readAccount(context, accountId));
  const { id: personId } = await firstOwner(context, accountId);
  const others = (await listPeople(context, accountId)).filter(({ id }) => id !== personId);
  requireNew(others, newEmail);
  return context.db.transaction(async (client) => {
    const now = context.clock.now();
    const forgotten = await sql.forgetNewEmails(client, { personId });
    const url = signInUrl(
      context,
      await insertLink(client, personId, now, { newEmail, minutes: NEW_EMAIL_HOURS * 60 }),
    );
    await eraseMailsTo(client, forgotten, now);
    await queueMail(client, {
      purpose: "new_email",
      recipient: newEmail,
      now,
      subject: "Confirm the new address of your Trucking Data Feed account",
      body: newEmailText(account.name, url),
    });
    return url;
  });
}

/** Mails the owner of a new account a link, and returns the link for the operator who opened the account. */
export async function inviteOwner(
  context: Context,
  account: { id: number; name: string; email: string },
): Promise<string> {
  const { id: personId } = await firstOwner(context, account.id);
  return context.db.transaction(async (client) => {
    const now = context.clock.now();
    const url = signInUrl(context, await insertLink(client, personId, now));
    await queueMail(client, {
      purpose: "invitation",
      recipient: account.email,
      now,
      subject: "Your Trucking Data Feed account",
      body: invitationText(account.name, url, context.config.publicUrl),
    });
    return url;
  });
}

async function insertLink(
  client: Queryable,
  personId: number,
  now: Date,
  { newEmail = null, minutes = SIGN_IN_LINK_MINUTES }: { newEmail?: string | null; minutes?: number } = {},
): Promise<string> {
  const token = newToken();
  await sql.insertLink(client, {
    tokenHash: hashToken(token),
    personId,
    now,
    expiresAt: new Date(now.getTime() + minutes * 60_000),
    newEmail,
  });
  return token;
}

/**
 * The name of the account that a link signs in to, and the address that it confirms. Null if the link is used, expired or
 * unknown.
 */
export async function accountOfLink(
  context: Context,
  token: string,
): Promise<{ name: string; newEmail: string | null } | null> {
  const tokenHash = hashPresented(token);
  if (tokenHash === null) return null;
  const link = await context.db.prisma.signInLink.findFirst({
    where: { tokenHash: new Uint8Array(tokenHash), usedAt: null, expiresAt: { gt: context.clock.now() } },
    select: { newEmail: true, person: { select: { account: { select: { name: true } } } } },
  });
  return link && { name: link.person.account.name, newEmail: link.newEmail };
}

const newEmailText = (name: string, url: string): string =>
  `This address is to become the address of the account ${name}. Confirm it, and sign in:

${url}

The link works once, within ${NEW_EMAIL_HOURS} hours. Until then the account keeps the address that it has. If you do not know
the account, you need not do anything.
`;

const signInText = (names: readonly string[], url: string): string =>
  `Somebody, most likely you, asked to sign in to the dashboard of ${names.join(", ")}.${names.length > 1 ? "\nYou choose the account afterwards." : ""}

${url}

The link works once, within ${SIGN_IN_LINK_MINUTES} minutes. If you did not ask for it, you need not do
anything: without the link nobody can sign in.
`;

const invitationText = (name: string, url: string, publicUrl: string): string =>
  `The account ${name} is open. Sign in to the dashboard to make your first API key:

${url}

The link works once, within ${SIGN_IN_LINK_MINUTES} minutes. Afterwards, ask for a new one at
${publicUrl}/dashboard whenever you want to sign in.
The documentation is at ${publicUrl}/docs.
`;
