import { DAY_MS, HOUR_MS } from "../clock.ts";
import type { Context } from "../context.ts";

/** The most mails of one kind that strangers may cause, since they may name anybody's address. */
export interface StrangersMail {
  perMailboxAndDay: number;
  perHour: number;
  perClientAndHour?: number;
  /** What the log says when the number of an hour is reached. */
  reached: string;
}

/** The mails of that kind which were sent: to the mailbox in a day, and for the client and in all in an hour. */
interface SentMails {
  mailbox: number;
  client?: number;
  all: number;
}

/** The times since when they are counted. */
export const countedSince = (now: Date): { dayAgo: Date; hourAgo: Date } => ({
  dayAgo: new Date(now.getTime() - DAY_MS),
  hourAgo: new Date(now.getTime() - HOUR_MS),
});

/** Whether one more mail is sent. Call it in the transaction that counted under a lock, so that the limits are exact. */
export function maySendOneMore(
  { log }: Pick<Context, "log">,
  { perMailboxAndDay, perHour, perClientAndHour = Number.POSITIVE_INFINITY, reached }: StrangersMail,
  { mailbox, client = 0, all }: SentMails,
): boolean {
  if (mailbox >= perMailboxAndDay || client >= perClientAndHour || all >= perHour) return false;
  if (all + 1 === perHour) log.error({ mailsPerHour: perHour }, reached);
  return true;
}
