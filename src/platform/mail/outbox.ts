// Mail: texts that rooms queue in their own transactions and the mailer sends afterwards.
// Owns the table mail_outbox.
// Promises that what was committed is sent at least once, a repeat under the same Message-ID, and what was rolled back never.
import type pg from "pg";
import type { Context } from "../context.ts";
import { isMailAddress } from "./address.ts";

type Client = Pick<pg.ClientBase, "query"> | pg.Pool;

/** A mail to queue: plain text to one recipient. */
export interface QueuedMail {
  /** What it is for, in a word that logs and `tdf status` may show. */
  purpose: string;
  recipient: string;
  subject: string;
  body: string;
  now: Date;
  /** What this mail is the only one of, for example a month's warning of an account. */
  identity?: string;
}

const LONGEST_SUBJECT = 200;

/**
 * Queues a mail in the caller's transaction. One with the identity of an earlier one is not queued again. Throws when
 * the recipient is no address or the subject holds a line break or control character: callers check what people typed.
 */
export async function queueMail(client: Client, mail: QueuedMail): Promise<void> {
  const { purpose, recipient, subject, body, now, identity = null } = mail;
  // The recipient is not repeated: errors are logged, addresses are not.
  if (!isMailAddress(recipient))
    throw new Error(`The recipient of a mail (${purpose}) is no e-mail address.`);
  if (subject.length > LONGEST_SUBJECT || /[\p{Cc}\u2028\u2029]/u.test(subject)) {
    throw new Error(`The subject of a mail (${purpose}) is too long or holds control characters.`);
  }
  await client.query(
    `INSERT INTO mail_outbox (identity, purpose, recipient, subject, body, created_at, due_at)
     VALUES ($1, $2, $3, $4, $5, $6, $6)
     ON CONFLICT (identity) DO NOTHING`,
    [identity, purpose, recipient, subject, body, now],
  );
}

/** How many mails to this address were given up since then. */
export async function countFailedMails(
  { db }: Pick<Context, "db">,
  recipient: string,
  since: Date,
): Promise<number> {
  const { rows } = await db.pool.query<{ count: number }>(
    "SELECT count(*) AS count FROM mail_outbox WHERE recipient = $1 AND failed_at > $2",
    [recipient, since],
  );
  return rows[0]?.count ?? 0;
}

/** How the outbox stands. */
export interface OutboxState {
  waiting: number;
  /** When the mail was queued that waits longest; null where none waits. */
  waiting_since: string | null;
  /** Given up, of those not yet forgotten. */
  failed: number;
}

/** How many mails wait and how many were given up. */
export async function outboxState({ db }: Pick<Context, "db">): Promise<OutboxState> {
  const { rows } = await db.pool.query<{ waiting: number; since: Date | null; failed: number }>(
    `SELECT count(*) FILTER (WHERE failed_at IS NULL) AS waiting,
       min(created_at) FILTER (WHERE failed_at IS NULL) AS since,
       count(failed_at) AS failed
     FROM mail_outbox WHERE sent_at IS NULL`,
  );
  const { waiting = 0, since = null, failed = 0 } = rows[0] ?? {};
  return { waiting, waiting_since: since?.toISOString() ?? null, failed };
}
