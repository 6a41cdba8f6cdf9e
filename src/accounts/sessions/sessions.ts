import { createHash, hkdfSync, randomBytes } from "node:crypto";
import * as sql from "../../generated/sql/accounts/sessions.ts";
import { HOUR_MS } from "../../platform/clock.ts";
import type { Context } from "../../platform/context.ts";
import type { Queryable } from "../../platform/database/statement.ts";
import { queueMail } from "../../platform/mail/outbox.ts";
import { type Secrets, secretsUnder } from "../../platform/secrets.ts";
import { eraseMailsTo } from "../erased-mails.ts";
import { type Person, recordAction } from "../people/account-log.ts";
import { withdrawInvitations } from "../people/people.ts";

/** A person who is signed in to an account's dashboard. */
export interface Session {
  accountId: number;
  accountName: string;
  person: Person;
  /** How many open accounts the person's address belongs to. */
  accounts: number;
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
 * Uses a sign-in link and opens a session. A link that was mailed to a new address makes it the person's. Returns the session's
 * new token, of which the database keeps only the hash. Null if the link is used, expired or unknown.
 */
export async function openSession(context: Context, linkToken: string): Promise<string | null> {
  const linkHash = hashPresented(linkToken);
  if (linkHash === null) return null;
  const now = context.clock.now();
  return context.db.transaction(async (client) => {
    const link = await sql.takeLink(client, { linkHash, now });
    if (link === undefined) return null;
    const { personId, newEmail } = link;
    if (newEmail !== null && !(await replaceEmail(client, { personId, newEmail, now }))) return null;
    return startSession(client, { personId, now });
  });
}

/** Opens a session of a person in the caller's transaction, and returns its token. */
export async function startSession(
  client: Queryable,
  { personId, now, since = now }: { personId: number; now: Date; since?: Date },
): Promise<string | null> {
  const found = await sql.personOf(client, { personId });
  if (found === undefined) return null;
  const { accountId, ...person } = found;
  const token = newToken();
  await sql.openSession(client, { personId, createdAt: since, now, tokenHash: hashToken(token) });
  await recordAction(client, { accountId, person }, { action: "signed_in", subject: null, now });
  return token;
}

/** An account that an address belongs to. */
export type OwnAccount = sql.AccountsOfAddressRow;

/** The open accounts that an address belongs to, the oldest first. */
export const accountsOfAddress = (client: Queryable, email: string): Promise<OwnAccount[]> =>
  sql.accountsOfAddress(client, { email });

/** The open accounts that the session's address belongs to, the oldest first. */
export const accountsOf = ({ db }: Context, { person }: Pick<Session, "person">): Promise<OwnAccount[]> =>
  accountsOfAddress(db.pool, person.email);

/**
 * Moves a session to another account of the same address. The session gets a new token, so that forms of the account before
 * are refused, and ends when it would have ended. Null when the address does not belong to that account.
 */
export async function switchAccount(
  context: Context,
  { token, session, accountId }: { token: string; session: Session; accountId: number },
): Promise<string | null> {
  return context.db.transaction(async (client) => {
    const accounts = await accountsOfAddress(client, session.person.email);
    const chosen = accounts.find((account) => account.accountId === accountId);
    if (chosen === undefined) return null;
    const before = await sql.closeSession(client, { tokenHash: hashToken(token) });
    if (before === undefined) return null;
    const { personId } = chosen;
    return startSession(client, { personId, now: context.clock.now(), since: before.createdAt });
  });
}

/**
 * Makes an address the person's, withdraws what the one before invited, erases the mails to it, and tells it. False when another
 * person of the account has it.
 */
async function replaceEmail(
  client: Queryable,
  { personId, newEmail, now }: { personId: number; newEmail: string; now: Date },
): Promise<boolean> {
  const before = await sql.replaceEmail(client, { personId, newEmail });
  if (before === undefined) return false;
  await withdrawInvitations(client, { ...before, now });
  await eraseMailsTo(client, [before], now);
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
  return true;
}

/** The session of a cookie's token, or null if there is none or it has ended. */
export async function sessionOf(context: Context, token: string | undefined): Promise<Session | null> {
  const tokenHash = hashPresented(token ?? "");
  if (token === undefined || tokenHash === null) return null;
  const now = context.clock.now();
  const row = await sql.findSession(context.db.pool, { tokenHash, ...oldestUsable(now) });
  if (!row) return null;
  const { lastSeenAt, personId, email, role, ...known } = row;
  if (now.getTime() - lastSeenAt.getTime() > 60_000) {
    // Never to an earlier time, which a process whose clock is behind would write.
    await context.db.prisma.dashboardSession.updateMany({
      where: { tokenHash: new Uint8Array(tokenHash), lastSeenAt: { lt: now } },
      data: { lastSeenAt: now },
    });
  }
  return { ...known, person: { id: personId, email, role }, formToken: formTokenOf(token) };
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

/** Ends every session of the person's address, in all its accounts, and deletes its unused links. Returns how many sessions. */
export async function closeAllSessions(
  context: Context,
  doer: Pick<Session, "accountId" | "person">,
): Promise<number> {
  return context.db.transaction(async (client) => {
    const now = context.clock.now();
    await recordAction(client, doer, { action: "signed_out_everywhere", subject: null, now });
    return sql.endSessionsOf(client, { email: doer.person.email });
  });
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
