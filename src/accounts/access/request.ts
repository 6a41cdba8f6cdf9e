import * as sql from "../../generated/sql/accounts/access.ts";
import { HOUR_MS } from "../../platform/clock.ts";
import type { Context } from "../../platform/context.ts";
import { lock } from "../../platform/database/transaction.ts";
import { mailboxOf } from "../../platform/mail/address.ts";
import { queueMail } from "../../platform/mail/outbox.ts";
import { countedSince, maySendOneMore, type StrangersMail } from "../../platform/mail/strangers-mail.ts";
import { hashPresented, hashToken, newToken } from "../sessions/sessions.ts";
import { requestSignIn } from "../sessions/sign-in-links.ts";
import type { AskedAccess } from "./asked.ts";
import { REQUESTS_LOCK } from "./requests.ts";

/** How long the link works that confirms an address. */
export const ACCESS_LINK_HOURS = 72;

/** The purpose of the mail with the link. It keeps no address once it is sent: its text says that we forget the request. */
export const ACCESS_CONFIRMATION = "access_confirmation";

const LIMITS: StrangersMail = {
  perMailboxAndDay: 3,
  perHour: 100,
  reached: "Requests for access reached the limit of an hour: further ones are dropped until it is past.",
};

/**
 * Mails a link that confirms the address; of an address that has an account, one that signs in. Returns nothing, so that
 * nobody learns which. ProblemError rate_limited for a client that asks too often, for this or for sign-in links.
 */
export async function requestAccess(
  context: Context,
  clientAddress: string,
  asked: AskedAccess,
  wishedPlan: string | null,
): Promise<void> {
  await requestSignIn(context, clientAddress, asked.email);
  const { email } = asked;
  const mailbox = mailboxOf(email);
  await context.db.transaction(async (client) => {
    await lock(client, REQUESTS_LOCK);
    const now = context.clock.now();
    const { hasAccount, ...before } = await sql.countRequests(client, {
      email,
      mailbox,
      ...countedSince(now),
    });
    if (hasAccount || !maySendOneMore(context, LIMITS, before)) return;
    const token = newToken();
    const expiresAt = new Date(now.getTime() + ACCESS_LINK_HOURS * HOUR_MS);
    await sql.insertRequest(client, {
      ...asked,
      mailbox,
      wishedPlan,
      tokenHash: hashToken(token),
      now,
      expiresAt,
    });
    await queueMail(client, {
      purpose: ACCESS_CONFIRMATION,
      recipient: email,
      now,
      subject: "Confirm your request for access to Trucking Data Feed",
      body: confirmationText(`${context.config.publicUrl}/request-access/${token}`),
    });
  });
}

/** Whether a mailed link still confirms a request. */
export async function isAccessLink(context: Context, token: string): Promise<boolean> {
  const tokenHash = hashPresented(token);
  if (tokenHash === null) return false;
  const found = await sql.findUnconfirmed(context.db.pool, { tokenHash, now: context.clock.now() });
  return found !== undefined;
}

/** Contains nothing that the sender typed: the address may be somebody else's. */
const confirmationText = (
  url: string,
): string => `Somebody, most likely you, requested access to Trucking Data Feed with this address.
Confirm it, and your account is opened:

${url}

The link works once, within ${ACCESS_LINK_HOURS} hours. If you did not ask for it, you need not do anything: without the link
there is no account, and we forget the request.
`;
