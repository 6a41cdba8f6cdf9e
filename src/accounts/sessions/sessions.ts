import { createHash } from "node:crypto";
import { HOUR_MS } from "../../platform/clock.ts";
import type { Context } from "../../platform/context.ts";
import * as sql from "./statements.ts";
import { hashPresented, hashToken, newToken } from "./token.ts";

/** A user who is signed in to an account's dashboard. */
export interface Session {
  accountId: number;
  accountName: string;
  email: string;
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
 * Uses a sign-in link and opens a session. Returns the session's new token, of which the database keeps only the hash.
 * Null if the link is used, expired or unknown.
 */
export async function openSession(context: Context, linkToken: string): Promise<string | null> {
  const linkHash = hashPresented(linkToken);
  if (linkHash === null) return null;
  const now = context.clock.now();
  const token = newToken();
  const { rowCount } = await sql.openSession.run(context.db.pool, {
    linkHash,
    now,
    tokenHash: hashToken(token),
  });
  if (rowCount !== 1) return null;
  return token;
}

/** The session of a cookie's token, or null if there is none or it has ended. */
export async function sessionOf(context: Context, token: string | undefined): Promise<Session | null> {
  const tokenHash = hashPresented(token ?? "");
  if (token === undefined || tokenHash === null) return null;
  const now = context.clock.now();
  const { rows } = await sql.findSession.run(context.db.pool, { tokenHash, ...oldestUsable(now) });
  if (!rows[0]) return null;
  const { lastSeenAt, ...known } = rows[0];
  if (now.getTime() - lastSeenAt.getTime() > 60_000) {
    await sql.touchSession.run(context.db.pool, { tokenHash, now });
  }
  return { ...known, formToken: formTokenOf(token) };
}

/** Sessions last used or opened before these times have ended. */
const oldestUsable = (now: Date): { seenAfter: Date; createdAfter: Date } => ({
  seenAfter: new Date(now.getTime() - IDLE_HOURS * HOUR_MS),
  createdAfter: new Date(now.getTime() - LONGEST_DAYS * 24 * HOUR_MS),
});

const formTokenOf = (token: string): string =>
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
