import * as sql from "../../generated/sql/suppression/requests.ts";
import type { Context } from "../../platform/context.ts";
import type { Queryable } from "../../platform/database/statement.ts";
import { mailboxOf } from "../../platform/mail/address.ts";
import { queueMail } from "../../platform/mail/outbox.ts";
import { countedSince, maySendOneMore, type StrangersMail } from "../../platform/mail/strangers-mail.ts";

const LIMITS: StrangersMail = {
  perMailboxAndDay: 1,
  perClientAndHour: 5,
  perHour: 200,
  reached:
    "Removal requests reached the limit of confirmations in an hour: further ones are recorded but not confirmed.",
};

/** The purpose of the mail. It keeps no address once it is sent: the requester was promised so. */
export const CONFIRMATION = "removal_confirmation";

/** A request to confirm. */
interface Confirmed {
  requestId: number;
  requesterEmail: string;
  clientDigest: Buffer;
}

/**
 * Queues the confirmation in the request's transaction. Requests may name anybody's address, so there are limits: one
 * mail per address and day, and a number per client and in all per hour. The list is locked, so the counts are exact.
 */
export async function queueConfirmation(
  context: Context,
  client: Queryable,
  { requestId, requesterEmail, clientDigest }: Confirmed,
  now: Date,
): Promise<void> {
  const addressDigest = context.secrets.digest(mailboxOf(requesterEmail), "mailbox");
  const counted = await sql.countConfirmations(client, {
    addressDigest,
    clientDigest,
    ...countedSince(now),
  });
  if (!maySendOneMore(context, LIMITS, counted)) return;
  await sql.insertConfirmation(client, { addressDigest, clientDigest, now });
  const subject = `Your removal request ${requestId}`;
  const body = textOf(context.config.publicUrl, requestId);
  await queueMail(client, { purpose: CONFIRMATION, recipient: requesterEmail, subject, body, now });
}

/** Contains nothing that the sender typed: the address may be somebody else's. */
const textOf = (publicUrl: string, requestId: number): string => `Hello,

we recorded a request to remove a business from Trucking Data Feed. Its number is ${requestId}.

From now on, and after every update of the official registry that our data comes from, we no longer deliver what the
request names, unless a person has to check it first. That is so when many businesses share the number or address. For a
phone number or e-mail address it is also so while unusually many businesses are being removed. The request then takes
effect when the person has agreed. The registry itself is not ours, and we do not change it.

If you did not send this request, somebody else gave your address. You need not do anything: we use the address for
nothing else. If your business should be shown again, write to the operator of
${publicUrl} and give the number of the request.
`;
