import type pg from "pg";
import { DAY_MS, HOUR_MS } from "../../platform/clock.ts";
import type { Context } from "../../platform/context.ts";
import { queueMail } from "../../platform/mail/outbox.ts";

const PER_CLIENT_AND_HOUR = 5;
const PER_HOUR = 200;

/** A request that is to be confirmed. */
interface Confirmed {
  requestId: number;
  requesterEmail: string;
  clientDigest: Buffer;
}

/**
 * Queues the confirmation, in the request's transaction, unless the address had one within a day or its client or
 * everybody had theirs of the hour: whoever asks may name any address. The list is locked, so the counts are exact.
 */
export async function queueConfirmation(
  context: Context,
  client: pg.ClientBase,
  { requestId, requesterEmail, clientDigest }: Confirmed,
  now: Date,
): Promise<void> {
  const addressDigest = context.secrets.digest(mailboxOf(requesterEmail), "mailbox");
  const { rows } = await client.query<{ mailbox: number; client: number; all: number }>(
    `SELECT count(*) FILTER (WHERE address_digest = $1) AS mailbox,
       count(*) FILTER (WHERE client_digest = $2 AND queued_at > $3) AS client,
       count(*) FILTER (WHERE queued_at > $3) AS all
     FROM removal_confirmation WHERE queued_at > $4`,
    [addressDigest, clientDigest, new Date(now.getTime() - HOUR_MS), new Date(now.getTime() - DAY_MS)],
  );
  const sent = rows[0] as { mailbox: number; client: number; all: number };
  if (sent.mailbox > 0 || sent.client >= PER_CLIENT_AND_HOUR || sent.all >= PER_HOUR) return;
  await client.query(
    "INSERT INTO removal_confirmation (address_digest, client_digest, queued_at) VALUES ($1, $2, $3)",
    [addressDigest, clientDigest, now],
  );
  const subject = `Your removal request ${requestId}`;
  const body = textOf(context.config.publicUrl, requestId);
  await queueMail(client, { purpose: "removal_confirmation", recipient: requesterEmail, subject, body, now });
  if (sent.all + 1 === PER_HOUR) {
    context.log.error(
      { mailsPerHour: PER_HOUR },
      "Removal requests used up the confirmations of an hour: further ones are recorded and not confirmed.",
    );
  }
}

/** The mailbox behind an address as far as spellings of it tell: many providers ignore dots and what follows a plus. */
function mailboxOf(address: string): string {
  const [local = "", domain = ""] = address.toLowerCase().split("@");
  return `${local.replace(/\+.*$/, "").replaceAll(".", "")}@${domain}`;
}

/** Nothing of it was typed by whoever asked: the address may be somebody else's. */
const textOf = (publicUrl: string, requestId: number): string => `Hello,

we recorded a request to remove a business from Trucking Data Feed. Its number is ${requestId}.

What it names is kept out of everything we deliver, from now on and after every update of the official registry we
compile from. Where many businesses share what it names, a person looks at it first. The registry itself is not ours
and is not changed.

If you did not ask for this, somebody else gave your address: you need not do anything, and this address is used for
nothing else. If a business of yours should be shown again, write to the operator of
${publicUrl} and name the number of the request.
`;
