import * as sql from "../generated/sql/accounts.ts";
import type { Queryable } from "../platform/database/statement.ts";
import { eraseMails } from "../platform/mail/outbox.ts";

/**
 * Erases the mails to addresses that an account has no more, in the caller's transaction. Mails that wait are sent only to an
 * address that belongs to another account too: they may be that account's. Queue a mail that must still go afterwards.
 */
export async function eraseMailsTo(
  client: Queryable,
  addresses: readonly { email: string }[],
  now: Date,
): Promise<void> {
  const recipients = addresses.map(({ email }) => email);
  const gone = await sql.addressesGone(client, { emails: recipients });
  await eraseMails(client, { recipients, waitingTo: gone.map(({ email }) => email), now });
}
