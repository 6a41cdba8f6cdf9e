// Mail. Other modules queue mails in their transactions; the mailer sends them afterwards. It owns the table mail_outbox.
// It promises that a committed mail is sent at least once, each time with the same Message-ID, and that a mail of a
// transaction that was rolled back is never sent.

import * as sql from "../../generated/sql/platform/mail.ts";
import type { Context } from "../context.ts";
import type { Queryable } from "../database/statement.ts";
import { isMailAddress } from "./address.ts";

/** A mail to queue: plain text to one recipient. */
export interface QueuedMail {
  /** The purpose, as one word for logs. */
  purpose: string;
  recipient: string;
  subject: string;
  body: string;
  now: Date;
  /** Mails with the same identity are sent once, for example an account's warning of a month. */
  identity?: string;
  /** An identity that an earlier release gave this mail: if it was queued under that one, it is not queued again. */
  earlierIdentity?: string | undefined;
}

const LONGEST_SUBJECT = 200;

/**
 * Queues a mail in the caller's transaction. A mail with the identity of an earlier one is not queued. Throws when the
 * recipient is not an address, or the subject holds a line break or control character. Callers check what people typed.
 */
export async function queueMail(client: Queryable, mail: QueuedMail): Promise<void> {
  const { purpose, recipient, subject, body, now, identity = null, earlierIdentity = null } = mail;
  // The message does not repeat the recipient, because errors are logged and addresses are not.
  if (!isMailAddress(recipient))
    throw new Error(`The recipient of a mail (${purpose}) is not an e-mail address.`);
  if (subject.length > LONGEST_SUBJECT || /[\p{Cc}\u2028\u2029]/u.test(subject)) {
    throw new Error(`The subject of a mail (${purpose}) is too long or holds control characters.`);
  }
  await sql.queueMail(client, { identity, earlierIdentity, purpose, recipient, subject, body, now });
}

/** Mails that wait, of some purposes only: an address may wait for mails that others caused. */
export interface WaitingMails {
  recipients: string[];
  purposes: readonly string[];
}

/**
 * Erases the mails to these addresses that were sent or given up, in the caller's transaction, and those of `waiting`, which are
 * then not sent.
 */
export const eraseMails = (
  client: Queryable,
  { recipients, waiting, now }: { recipients: string[]; waiting: WaitingMails; now: Date },
): Promise<number> =>
  sql.eraseMails(client, {
    recipients,
    waitingTo: waiting.recipients,
    purposes: [...waiting.purposes],
    now,
  });

/** Counts the mails to an address that were given up since a time. */
export const countFailedMails = (
  { db }: Pick<Context, "db">,
  recipient: string,
  since: Date,
): Promise<number> => db.prisma.mailOutbox.count({ where: { recipient, failedAt: { gt: since } } });

/** A mail that was given up, without its recipient. */
export interface FailedMail {
  purpose: string;
  createdAt: Date;
  failedAt: Date | null;
  /** A code, such as EAUTH 535. */
  lastError: string | null;
}

/** The newest mails that were given up since a time, without those that were erased. */
export const listFailedMails = (
  { db }: Pick<Context, "db">,
  { since, most }: { since: Date; most: number },
): Promise<FailedMail[]> =>
  db.prisma.mailOutbox.findMany({
    where: toldSince(since),
    select: { purpose: true, createdAt: true, failedAt: true, lastError: true },
    orderBy: { id: "desc" },
    take: most,
  });

/** How many mails were given up since a time, without those that were erased. */
export const countAllFailedMails = ({ db }: Pick<Context, "db">, since: Date): Promise<number> =>
  db.prisma.mailOutbox.count({ where: toldSince(since) });

const toldSince = (since: Date) => ({ failedAt: { gt: since }, lastError: { not: null } });

/** The mail that waits longest; its `lastError` says why its last try failed. Null when none waits. */
export const longestWaiting = ({
  db,
}: Pick<Context, "db">): Promise<Pick<FailedMail, "createdAt" | "lastError"> | null> =>
  db.prisma.mailOutbox.findFirst({
    where: { sentAt: null, failedAt: null },
    orderBy: [{ createdAt: "asc" }, { id: "asc" }],
    select: { createdAt: true, lastError: true },
  });

/** The state of the outbox. */
export interface OutboxState {
  waiting: number;
  /** When the mail that waits longest was queued; null when none waits. */
  waiting_since: string | null;
  /** Mails that were given up and are not deleted yet. */
  failed: number;
}

/** Counts the mails that wait and the mails that were given up. */
export async function outboxState({ db }: Pick<Context, "db">): Promise<OutboxState> {
  const { waiting, since, failed } = await sql.outboxState(db.pool);
  return { waiting, waiting_since: since?.toISOString() ?? null, failed };
}
