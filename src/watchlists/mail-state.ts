// Which accounts get the daily mail of changes, and up to which change each has had it.
import { type Maker, recordAction } from "../accounts/people/account-log.ts";
import * as sql from "../generated/sql/watchlists.ts";
import type { Context } from "../platform/context.ts";
import type { Queryable } from "../platform/database/statement.ts";

/** Whether an account gets the daily mail. */
export async function hasMail({ db }: Context, accountId: number): Promise<boolean> {
  return (await db.prisma.watchMail.count({ where: { accountId } })) > 0;
}

/** Starts the daily mail after a change and a day of the registry. An account that has it already keeps its state. */
export async function startMail(
  { db, clock }: Context,
  accountId: number,
  after: { lastChangeId: number; asOf: string | null },
  { person }: Maker = {},
): Promise<void> {
  await db.transaction(async (client) => {
    if ((await sql.startMail(client, { accountId, ...after })) === 0) return;
    const switched = { action: "daily_mail_switched", subject: "on", now: clock.now() } as const;
    await recordAction(client, { accountId, person }, switched);
  });
}

/** Stops the daily mail of an account. */
export async function stopMail(
  { db, clock }: Context,
  accountId: number,
  { person }: Maker = {},
): Promise<void> {
  await db.transaction(async (client) => {
    if ((await sql.stopMail(client, { accountId })) === 0) return;
    const switched = { action: "daily_mail_switched", subject: "off", now: clock.now() } as const;
    await recordAction(client, { accountId, person }, switched);
  });
}

/** An account whose mail of a day is due. */
export type MailDue = sql.MailsDueRow;

/** The accounts that were not mailed about this day of the registry yet, without closed and suspended ones. */
export const listMailsDue = ({ db }: Context, asOf: string): Promise<MailDue[]> =>
  sql.mailsDue(db.pool, { asOf });

/**
 * Moves an account on to a change and a day, in the transaction that queues its mail. False when another process did so
 * first, or the mail was stopped: then nothing may be queued.
 */
export const moveMail = async (
  client: Queryable,
  { accountId, lastChangeId: from }: MailDue,
  to: { lastChangeId: number; asOf: string },
): Promise<boolean> => (await sql.moveMail(client, { accountId, from, ...to })) === 1;
