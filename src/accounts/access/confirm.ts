import * as sql from "../../generated/sql/accounts/access.ts";
import type { Context } from "../../platform/context.ts";
import type { Queryable } from "../../platform/database/statement.ts";
import { lock } from "../../platform/database/transaction.ts";
import { queueMail } from "../../platform/mail/outbox.ts";
import { openAccount } from "../accounts.ts";
import { hashPresented } from "../sessions/sessions.ts";
import { REQUESTS_LOCK, WAITING_PLAN } from "./requests.ts";

/**
 * Uses the link of a request: opens an account that waits for the operator's word, and tells the operator. Returns the
 * account, or the one that the address has got meanwhile. Null if the link is used, expired or unknown.
 */
export async function confirmAccess(
  context: Context,
  token: string,
): Promise<{ accountId: number; isNew: boolean } | null> {
  const tokenHash = hashPresented(token);
  if (tokenHash === null) return null;
  return context.db.transaction(async (client) => {
    await lock(client, REQUESTS_LOCK);
    const now = context.clock.now();
    const request = await sql.findUnconfirmed(client, { tokenHash, now });
    if (request === undefined) return null;
    const { id, email } = request;
    const known = await sql.findAccount(client, { email });
    // Of an address with an account, no request is left.
    await sql.forgetUnconfirmed(client, { email, id: known ? 0 : id });
    if (known) return { accountId: known.id, isNew: false };
    await sql.makeWaitingPlan(client, { code: WAITING_PLAN, name: "Access requested", now });
    const account = { name: request.company, email, planCode: WAITING_PLAN };
    const { id: accountId } = await openAccount(client, account, now);
    await sql.confirmRequest(client, { id, accountId, now });
    await tellOperator(context, client, { ...request, accountId, now });
    return { accountId, isNew: true };
  });
}

interface Confirmed extends sql.FindUnconfirmedRow {
  accountId: number;
  now: Date;
}

async function tellOperator(
  { config }: Context,
  client: Queryable,
  { id, accountId, name, company, email, purpose, wishedPlan, now }: Confirmed,
): Promise<void> {
  if (config.operatorEmail === null) return;
  await queueMail(client, {
    purpose: "access_requested",
    recipient: config.operatorEmail,
    now,
    identity: `access request ${id}`,
    subject: `Request for access ${id} waits for your word`,
    body: `${name} of ${company} (${email}) requests access. Account ${accountId} is open and waits.

Plan of interest: ${wishedPlan ?? "not said"}
What for:
${purpose}

Grant or decline it: ${config.publicUrl}/admin/access/${id}
or by the commands
  tdf access grant ${id} --plan ${wishedPlan ?? "CODE"}
  tdf access decline ${id} --reason "..."
`,
  });
}
