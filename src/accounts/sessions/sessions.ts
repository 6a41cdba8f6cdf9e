import { createHash } from "node:crypto";
import type { Context } from "../../platform/context.ts";
import { hashToken, newToken } from "./token.ts";

/** Somebody who is signed in to an account's dashboard. */
export interface Session {
  accountId: number;
  accountName: string;
  email: string;
  /** What every form of the session carries; another site cannot know it. */
  formToken: string;
}

/** Unused for so long, a session is over. */
const IDLE_HOURS = 12;
/** And however much it is used, after so long. */
const LONGEST_DAYS = 30;

const HOUR_MS = 3_600_000;

/** How long the browser keeps the session's cookie, in seconds. */
export const SESSION_SECONDS = (LONGEST_DAYS * 24 * HOUR_MS) / 1000;

/**
 * Uses up a sign-in link and opens a session under a token made only now, which the answer holds and nothing else does.
 * Null where the link is used, too old or none of ours.
 */
export async function openSession(context: Context, linkToken: string): Promise<string | null> {
  const linkHash = hashToken(linkToken);
  if (linkHash === null) return null;
  const now = context.clock.now();
  const token = newToken();
  const { rowCount } = await context.db.pool.query(
    `WITH link AS (
       UPDATE sign_in_link SET used_at = $2
       WHERE token_hash = $1 AND used_at IS NULL AND expires_at > $2 RETURNING account_id)
     INSERT INTO dashboard_session (token_hash, account_id, created_at, last_seen_at)
     SELECT $3, account_id, $2, $2 FROM link`,
    [linkHash, now, hashToken(token)],
  );
  if (rowCount !== 1) return null;
  await dropOldSessions(context);
  return token;
}

/** The session of a cookie's token; null where there is none or it is over. */
export async function sessionOf(context: Context, token: string | undefined): Promise<Session | null> {
  const tokenHash = hashToken(token ?? "");
  if (token === undefined || tokenHash === null) return null;
  const now = context.clock.now();
  const { rows } = await context.db.pool.query<Omit<Session, "formToken"> & { lastSeenAt: Date }>(
    `SELECT account.id AS "accountId", account.name AS "accountName", account.email, last_seen_at AS "lastSeenAt"
     FROM dashboard_session JOIN account ON account.id = account_id
     WHERE token_hash = $1 AND last_seen_at > $2 AND dashboard_session.created_at > $3`,
    [
      tokenHash,
      new Date(now.getTime() - IDLE_HOURS * HOUR_MS),
      new Date(now.getTime() - LONGEST_DAYS * 24 * HOUR_MS),
    ],
  );
  if (!rows[0]) return null;
  const { lastSeenAt, ...known } = rows[0];
  if (now.getTime() - lastSeenAt.getTime() > 60_000) await touch(context, tokenHash, now);
  return { ...known, formToken: formTokenOf(token) };
}

async function touch(context: Context, tokenHash: Buffer, now: Date): Promise<void> {
  await context.db.pool.query(
    "UPDATE dashboard_session SET last_seen_at = greatest(last_seen_at, $2) WHERE token_hash = $1",
    [tokenHash, now],
  );
}

const formTokenOf = (token: string): string =>
  createHash("sha256").update("form of ").update(token).digest("base64url");

/** Ends the session of this token. */
export async function closeSession(context: Context, token: string): Promise<void> {
  await context.db.pool.query("DELETE FROM dashboard_session WHERE token_hash = $1", [hashToken(token)]);
}

/** Ends every session of the account and takes back its open sign-in links. Returns how many sessions there were. */
export async function closeAllSessions(context: Context, accountId: number): Promise<number> {
  return context.db.transaction(async (client) => {
    await client.query("DELETE FROM sign_in_link WHERE account_id = $1 AND used_at IS NULL", [accountId]);
    const { rowCount } = await client.query("DELETE FROM dashboard_session WHERE account_id = $1", [
      accountId,
    ]);
    return rowCount ?? 0;
  });
}

/** Removes sessions, links and counts of clients that can no longer be used: with each sign-in, so that they never pile up. */
async function dropOldSessions(context: Context): Promise<void> {
  const now = context.clock.now().getTime();
  await context.db.pool.query("DELETE FROM dashboard_session WHERE last_seen_at < $1 OR created_at < $2", [
    new Date(now - IDLE_HOURS * HOUR_MS),
    new Date(now - LONGEST_DAYS * 24 * HOUR_MS),
  ]);
  await context.db.pool.query("DELETE FROM sign_in_link WHERE expires_at < $1", [
    new Date(now - 24 * HOUR_MS),
  ]);
  await context.db.pool.query("DELETE FROM sign_in_client WHERE minute < $1", [
    Math.floor((now - HOUR_MS) / 60_000),
  ]);
}
