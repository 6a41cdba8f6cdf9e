import * as sql from "../../generated/sql/accounts/people.ts";
import type { Queryable } from "../../platform/database/statement.ts";
import { type QueuedMail, queueMail } from "../../platform/mail/outbox.ts";
import type { OwnerMail } from "../erased-mails.ts";

/**
 * Queues a mail to each owner of an account in the caller's transaction. An identity counts for each owner apart, and so does
 * the one that an earlier release gave the mail, if it was another.
 */
export async function mailOwners(
  client: Queryable,
  accountId: number,
  mail: Omit<QueuedMail, "recipient"> & { purpose: OwnerMail },
): Promise<void> {
  const owners = (await sql.peopleOf(client, { accountId })).filter(({ role }) => role === "owner");
  const { identity, earlierIdentity: earlier = identity } = mail;
  for (const [index, { id, email }] of owners.entries()) {
    const own = identity !== undefined && {
      identity: `${identity} person ${id}`,
      // Earlier releases named no person for the owner who joined first.
      earlierIdentity: index === 0 ? earlier : `${earlier} person ${id}`,
    };
    await queueMail(client, { ...mail, ...own, recipient: email });
  }
}
