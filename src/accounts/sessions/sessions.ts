import { createHash, hkdfSync, randomBytes } from "node:crypto";
import * as sql from "../../generated/sql/accounts/sessions.ts";
import { HOUR_MS } from "../../platform/clock.ts";
import type { Context } from "../../platform/context.ts";
import type { Queryable } from "../../platform/database/statement.ts";
import { queueMail } from "../../platform/mail/outbox.ts";
import { type Secrets, secretsUnder } from "../../platform/secrets.ts";

/** A user who is signed in to an account's dashboard. */
export interface Session {
  accountId: number;
  accountName: string;
  email: string;
  /** Why the account is suspended; null when it is not. */
  suspension: string | null;
  /** Sent with every form of the session; another site cannot know it. */
  formToken: string;
}

/** A session ends after this time without use, */
export const IDLE_HOURS = 12;
/** and after this time even if it is in use. */
export const LONGEST_DAYS = 30;

/** Lifetime of the session's cookie, in seconds. */
export const SESSION_SECONDS = (LONGEST_DAYS * 24 * HOUR_MS) / 1000;

/**
 * Uses a sign-in link and opens a session. A link that was mailed to a new address makes it the account's. Returns the session's new token, of which the database keeps only the hash.
 * Null if the link is used, expired or unknown.
 */
export async function openSession(context: Context, linkToken: string): Promise<string | null> {
  const linkHash = hashPresented(linkToken);
  if (linkHash === null) return null;
  const now = context.clock.now();
  return context.db.transaction(async (client) => {
    const link = await sql.takeLink(client, { linkHash, now });
    if (link === undefined) return null;
    const { accountId, newEmail } = link;
    if (newEmail !== null) await replaceEmail(client, { accountId, newEmail, now });
    return addSession(client, accountId, now);
  });
}

/** Opens a session of an account whose person was recognised by other means than a sign-in link. Returns its new token. */
export const startSession = ({ db, clock }: Context, accountId: number): Promise<string> =>
  addSession(db.pool, accountId, clock.now());

async function addSession(client: Queryable, accountId: number, now: Date): Promise<string> {
  const token = newToken();
  await sql.openSession(client, { accountId, now, tokenHash: hashToken(token) });
  return token;
}

/** Makes an address the account's, and tells the one before. */
async function replaceEmail(
  client: Queryable,
  { accountId, newEmail, now }: { accountId: number; newEmail: string; now: Date },
): Promise<void> {
  const before = await sql.replaceEmail(client, { accountId, newEmail });
  if (before === undefined) return;
  await queueMail(client, {
    purpose: "email_changed",
    recipient: before.email,
    now,
    subject: "The address of your Trucking Data Feed account was changed",
    body: `The account ${before.name} has another e-mail address now, which its new owner confirmed. Sign-in links and
warnings go there. Whoever was signed in is signed out.

If nobody of your company asked for this, tell the operator of the service at once.
`,
  });
}

/** The session of a cookie's token, or null if there is none or it has ended. */
export async function sessionOf(context: Context, token: string | undefined): Promise<Session | null> {
  const tokenHash = hashPresented(token ?? "");
  if (token === undefined || tokenHash === null) return null;
  const now = context.clock.now();
  const row = await sql.findSession(context.db.pool, { tokenHash, ...oldestUsable(now) });
  if (!row) return null;
  const { lastSeenAt, ...known } = row;
  if (now.getTime() - lastSeenAt.getTime() > 60_000) {
    // Never to an earlier time, which a process whose clock is behind would write.
    await context.db.prisma.dashboardSession.updateMany({
      where: { tokenHash: new Uint8Array(tokenHash), lastSeenAt: { lt: now } },
      data: { lastSeenAt: now },
    });
  }
  return { ...known, formToken: formTokenOf(token) };
}

/** Sessions last used or opened before these times have ended. */
export const oldestUsable = (now: Date): { seenAfter: Date; createdAfter: Date } => ({
  seenAfter: new Date(now.getTime() - IDLE_HOURS * HOUR_MS),
  createdAfter: new Date(now.getTime() - LONGEST_DAYS * 24 * HOUR_MS),
});

/** What the forms of a session carry. */
export const formTokenOf = (token: string): string =>
  createHash("sha256").update("form of ").update(token).digest("base64url");

/** Ends the session of this token. */
export async function closeSession(context: Context, token: string): Promise<void> {
  await context.db.prisma.dashboardSession.deleteMany({
    where: { tokenHash: new Uint8Array(hashToken(token)) },
  });
}

/** Ends every session of the account and deletes its unused sign-in links. Returns the number of sessions. */
export async function closeAllSessions(context: Context, accountId: number): Promise<number> {
  const { prisma } = context.db;
  const [, sessions] = await prisma.$transaction([
    prisma.signInLink.deleteMany({ where: { accountId, usedAt: null } }),
    prisma.dashboardSession.deleteMany({ where: { accountId } }),
  ]);
  return sessions.count;
}

/** A token nobody can guess: 256 random bits in base64url. */
export const newToken = (): string => randomBytes(32).toString("base64url");

/** The hash of a presented token. Null for a text of another form, which so never reaches the database. */
export const hashPresented = (token: string): Buffer | null =>
  /^[A-Za-z0-9_-]{43}$/.test(token) ? hashToken(token) : null;

/** The SHA-256 of a token; the database keeps nothing else of it. */
export const hashToken = (token: string): Buffer => createHash("sha256").update(token).digest();

// Texts that a session's next page shows once, such as a new key. The request that makes the text stores it; the page
// that the browser is redirected to takes it. So reloading that page neither repeats the request nor shows the text.

const VALID_MS = 5 * 60_000;

/**
 * Stores a text until a page of the session takes it. Returns the name to take it by, which reveals nothing of the text
 * and may be part of a URL.
 */
export async function leaveNote(context: Context, sessionToken: string, text: string): Promise<string> {
  const name = newToken();
  await context.db.prisma.dashboardNote.create({
    data: {
      tokenHash: new Uint8Array(hashToken(name)),
      sessionHash: new Uint8Array(hashToken(sessionToken)),
      sealed: new Uint8Array(sealerOf(sessionToken).seal(text, name)),
      expiresAt: new Date(context.clock.now().getTime() + VALID_MS),
    },
  });
  return name;
}

/** Takes the text that the same session stored under this name. Null if it was taken, is expired or of another session. */
export async function takeNote(context: Context, sessionToken: string, name: string): Promise<string | null> {
  const nameHash = hashPresented(name);
  if (nameHash === null) return null;
  const where = {
    tokenHash: new Uint8Array(nameHash),
    sessionHash: new Uint8Array(hashToken(sessionToken)),
  };
  const note = await context.db.prisma.dashboardNote.findFirst({ where });
  // Of two pages that find the note, one deletes it and shows it.
  const { count } = await context.db.prisma.dashboardNote.deleteMany({ where });
  if (note === null || count === 0 || note.expiresAt <= context.clock.now()) return null;
  return sealerOf(sessionToken).open(note.sealed, name);
}

// The key comes from the session's token. The database has only the token's hash, so it cannot reveal the text.
const sealerOf = (sessionToken: string): Secrets =>
  secretsUnder([Buffer.from(hkdfSync("sha256", sessionToken, "", "dashboard note", 32))]);
