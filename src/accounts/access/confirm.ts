import * as sql from "../../generated/sql/accounts/access.ts";
import type { Context } from "../../platform/context.ts";
import type { Queryable } from "../../platform/database/statement.ts";
import { lock } from "../../platform/database/transaction.ts";
import { queueMail } from "../../platform/mail/outbox.ts";
import { openAccount } from "../accounts.ts";
import { accountsOfAddress, hashPresented, startSession } from "../sessions/sessions.ts";
import { REQUESTS_LOCK, WAITING_PLAN } from "./requests.ts";

/** What the link of a request led to. */
interface ConfirmedAccess {
  accountId: number;
  /** Whether the account was opened by it. */
  isNew: boolean;
  /** The token of the person's new session. */
  session: string;
}

/**
 * Uses the link of a request: opens an account that waits for the operator's word, tells the operator, and signs in. With an
 * address that has got an account meanwhile, it signs in to that one. Null if the link is used, expired or unknown.
 */
export async function confirmAccess(context: Context, token: string): Promise<ConfirmedAccess | null> {
  const tokenHash = hashPresented(token);
  if (tokenHash === null) return null;
  return context.db.transaction(async (client) => {
    await lock(client, REQUESTS_LOCK);
    const now = context.clock.now();
    const request = await sql.findUnconfirmed(client, { tokenHash, now });
    if (request === undefined) return null;
    const { id, email } = request;
    const [known] = await accountsOfAddress(client, email);
    // Of an address with an account, no request is left.
    await sql.forgetUnconfirmed(client, { email, id: known ? 0 : id });
    if (!known) await openWaiting(context, client, { ...request, now });
    const person = known ?? (await accountsOfAddress(client, email))[0];
    const session = person && (await startSession(client, { personId: person.personId, now }));
    if (!person || !session) throw new Error("A confirmed request led to no person of an account");
    return { accountId: person.accountId, isNew: !known, session };
  });
}

/** Opens the account of a request, and tells the operator of it. */
async function openWaiting(
  context: Context,
  client: Queryable,
  request: sql.FindUnconfirmedRow & { now: Date },
): Promise<void> {
  const { id, company, email, now } = request;
  await sql.makeWaitingPlan(client, { code: WAITING_PLAN, name: "Access requested", now });
  const account = { name: company, email, planCode: WAITING_PLAN };
  const { id: accountId } = await openAccount(client, account, now);
  await sql.confirmRequest(client, { id, accountId, now });
  await tellOperator(context, client, { ...request, accountId });
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
${quoted(purpose)}

Grant or decline it: ${config.publicUrl}/admin/access/${id}
or by the commands
  tdf access grant ${id} --plan ${wishedPlan ?? "CODE"}
  tdf access decline ${id} --reason "..."
`,
  });
}

/** So that a line of a stranger does not look like one of ours. */
const quoted = (text: string): string => text.replace(/^/gm, "> ");
