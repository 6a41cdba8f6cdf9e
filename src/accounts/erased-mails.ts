import * as sql from "../generated/sql/accounts.ts";
import type { Queryable } from "../platform/database/statement.ts";
import { eraseMails, type WaitingMails } from "../platform/mail/outbox.ts";

/** The purposes of mails to each owner of an account. */
const OWNER_MAILS = [
  "carrier_changes",
  "key_expiry",
  "quota_warning",
  "webhook_failing",
  "webhook_paused",
] as const;
export type OwnerMail = (typeof OWNER_MAILS)[number];

/** The purpose of the mail that invites an address. */
export const INVITED = "person_invited";

/** The purposes of mails whose links an account ends when it is closed. */
const LINK_MAILS = [INVITED, "invitation", "new_email", "sign_in"];

/**
 * The purposes of mails that are nobody's any more once an account does not have their address. Those that tell of an end,
 * `email_changed` and `access_declined`, are sent in any case.
 */
const ACCOUNT_MAILS = [...OWNER_MAILS, ...LINK_MAILS, "access_granted"];

/**
 * Erases the mails to addresses that an account has no more, in the caller's transaction. Mails that wait are sent only to an
 * address that belongs to another account too, since they may be that account's, or if they are not of an account.
 */
export async function eraseMailsTo(
  client: Queryable,
  addresses: readonly { email: string }[],
  now: Date,
): Promise<void> {
  const waiting = { recipients: await addressesGone(client, addresses, now), purposes: ACCOUNT_MAILS };
  await eraseMails(client, { recipients: emailsOf(addresses), waiting, now });
}

/**
 * Erases the mails that wait of invitations that were withdrawn, in the caller's transaction: their links are dead. One to an
 * address that another account invites is sent, since it may be that account's.
 */
export async function eraseInvitationsTo(
  client: Queryable,
  addresses: readonly { email: string }[],
  now: Date,
): Promise<void> {
  const uninvited = emailsOf(await sql.addressesUninvited(client, { emails: emailsOf(addresses), now }));
  await eraseWaiting(client, { recipients: uninvited, purposes: [INVITED] }, now);
}

/**
 * Erases the mails that wait of links that ended with an account, in the transaction that closed it. One to an address of another
 * account is sent, since it may be that account's.
 */
export async function eraseLinksTo(
  client: Queryable,
  addresses: readonly { email: string }[],
  now: Date,
): Promise<void> {
  const recipients = await addressesGone(client, addresses, now);
  await eraseWaiting(client, { recipients, purposes: LINK_MAILS }, now);
}

/** Of these addresses those that no open account has, invites or is to get any more. */
const addressesGone = async (
  client: Queryable,
  addresses: readonly { email: string }[],
  now: Date,
): Promise<string[]> => emailsOf(await sql.addressesGone(client, { emails: emailsOf(addresses), now }));

const eraseWaiting = (client: Queryable, waiting: WaitingMails, now: Date): Promise<number> =>
  eraseMails(client, { recipients: [], waiting, now });

const emailsOf = (addresses: readonly { email: string }[]): string[] => addresses.map(({ email }) => email);
