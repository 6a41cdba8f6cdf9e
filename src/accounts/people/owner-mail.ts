import * as sql from "../../generated/sql/accounts/people.ts";
import type { Queryable } from "../../platform/database/statement.ts";
import { type QueuedMail, queueMail } from "../../platform/mail/outbox.ts";

/** Queues a mail to each owner of an account in the caller's transaction. An identity counts for each owner apart. */
export async function mailOwners(
  client: Queryable,
  accountId: number,
  mail: Omit<QueuedMail, "recipient">,
): Promise<void> {
  const owners = (await sql.peopleOf(client, { accountId })).filter(({ role }) => role === "owner");
  for (const [index, { id, email }] of owners.entries()) {
    // The first owner's has no number: accounts with one person had this identity before there were several.
    const own =
      mail.identity === undefined || index === 0 ? {} : { identity: `${mail.identity} person ${id}` };
    await queueMail(client, { ...mail, ...own, recipient: email });
  }
}
