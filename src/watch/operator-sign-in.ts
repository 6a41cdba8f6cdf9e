// The sign-in of the operator's page: a link that a command prints or that is mailed to OPERATOR_EMAIL, valid once.
import {
  formTokenOf,
  hashPresented,
  hashToken,
  newToken,
  oldestUsable,
} from "../accounts/sessions/sessions.ts";
import { countSignIn, mayMailLink, SIGN_IN_LINK_MINUTES } from "../accounts/sessions/sign-in-links.ts";
import * as sql from "../generated/sql/watch.ts";
import type { Context } from "../platform/context.ts";
import { lock } from "../platform/database/transaction.ts";
import { queueMail } from "../platform/mail/outbox.ts";

/** An operator who is signed in to /admin. */
export interface OperatorSession {
  /** Sent with every form of the session; another site cannot know it. */
  formToken: string;
}

/** Under which links are counted and made. No other lock of this database uses the number. */
const LINK_LOCK = 73_100_022;

const bytes = (hash: Buffer): Uint8Array<ArrayBuffer> => new Uint8Array(hash);

/** A link that signs in to the operator's page, for a command. */
export async function operatorSignInLink(context: Context): Promise<string> {
  const token = newToken();
  const createdAt = context.clock.now();
  const expiresAt = new Date(createdAt.getTime() + SIGN_IN_LINK_MINUTES * 60_000);
  await context.db.prisma.operatorLink.create({
    data: { tokenHash: bytes(hashToken(token)), createdAt, expiresAt },
  });
  return `${context.config.publicUrl}/admin/sign-in/${token}`;
}

/**
 * Mails a link if this is the address of OPERATOR_EMAIL. Returns nothing, so that nobody learns whether it is. ProblemError
 * rate_limited for a client that asks too often, for this or for a customer's link.
 */
export async function requestOperatorSignIn(
  context: Context,
  clientAddress: string,
  email: string,
): Promise<void> {
  await countSignIn(context, clientAddress);
  const recipient = context.config.operatorEmail;
  if (recipient === null || email.trim().toLowerCase() !== recipient.toLowerCase()) return;
  await context.db.transaction(async (client) => {
    await lock(client, LINK_LOCK);
    const now = context.clock.now();
    const { operatorLink } = context.db.prisma;
    const where = { expiresAt: { gt: now } };
    const links = await operatorLink.count({ where });
    const unused = await operatorLink.count({ where: { ...where, usedAt: null } });
    if (!mayMailLink({ links, unused })) return;
    const body = linkText(await operatorSignInLink(context));
    const subject = "Sign in to the operator's page of Trucking Data Feed";
    await queueMail(client, { purpose: "operator_sign_in", recipient, now, subject, body });
  });
}

/** Whether a link still signs in. */
export async function isOperatorLink(context: Context, token: string): Promise<boolean> {
  const tokenHash = hashPresented(token);
  if (tokenHash === null) return false;
  const where = { tokenHash: bytes(tokenHash), usedAt: null, expiresAt: { gt: context.clock.now() } };
  return (await context.db.prisma.operatorLink.count({ where })) > 0;
}

/** Uses a link and opens a session. Returns the session's token, or null if the link is used, expired or unknown. */
export async function openOperatorSession(context: Context, linkToken: string): Promise<string | null> {
  const linkHash = hashPresented(linkToken);
  if (linkHash === null) return null;
  const token = newToken();
  const opened = await sql.openOperatorSession(context.db.pool, {
    linkHash,
    now: context.clock.now(),
    tokenHash: hashToken(token),
  });
  return opened === 1 ? token : null;
}

/** The session of a cookie's token, or null if there is none or it has ended. It ends as a customer's does. */
export async function operatorSessionOf(
  context: Context,
  token: string | undefined,
): Promise<OperatorSession | null> {
  const tokenHash = hashPresented(token ?? "");
  if (token === undefined || tokenHash === null) return null;
  const now = context.clock.now();
  const { seenAfter, createdAfter } = oldestUsable(now);
  const { operatorSession } = context.db.prisma;
  const where = { tokenHash: bytes(tokenHash), createdAt: { gt: createdAfter } };
  if ((await operatorSession.count({ where: { ...where, lastSeenAt: { gt: seenAfter } } })) === 0)
    return null;
  // Never to an earlier time, which a process whose clock is behind would write.
  await operatorSession.updateMany({
    where: { ...where, lastSeenAt: { lt: now } },
    data: { lastSeenAt: now },
  });
  return { formToken: formTokenOf(token) };
}

/** Ends the session of this token. */
export async function closeOperatorSession(context: Context, token: string): Promise<void> {
  const tokenHash = bytes(hashToken(token));
  await context.db.prisma.operatorSession.deleteMany({ where: { tokenHash } });
}

/** Ends every session of the operator's page and makes its links invalid. Returns the number of sessions. */
export async function closeOperatorSessions({ db }: Context): Promise<number> {
  const [, sessions] = await db.prisma.$transaction([
    db.prisma.operatorLink.deleteMany(),
    db.prisma.operatorSession.deleteMany(),
  ]);
  return sessions.count;
}

const linkText = (url: string): string =>
  `Somebody, most likely you, asked to sign in to the operator's page.

${url}

The link works once, within ${SIGN_IN_LINK_MINUTES} minutes. If you did not ask for it, you need not do
anything: without the link nobody can sign in.
`;
