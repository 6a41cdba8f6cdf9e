import type { Queryable } from "../../platform/database/statement.ts";
import { queueMail } from "../../platform/mail/outbox.ts";
import { pauseEndpoint } from "../endpoints/pause.ts";
import { failingMail, pausedMail } from "./failure-mails.ts";
import * as sql from "./statements.ts";

/** This many failed deliveries in a row pause an endpoint. */
export const PAUSES_AT = 20;
/** After this many in a row its owner gets a warning. */
const WARNS_AT: readonly number[] = [10, 15];

/**
 * Counts a delivery that used all its attempts against its endpoint. Warns the owner, and pauses the endpoint at the 20th
 * in a row. Call it in the transaction that marks the delivery as failed, so that each counts once. The count of a
 * paused endpoint stays.
 */
export async function countLostDelivery(
  client: Queryable,
  { id, endpointId }: { id: number; endpointId: number },
  now: Date,
): Promise<void> {
  const { rows } = await sql.countFailure.run(client, { endpointId });
  const [endpoint] = rows;
  if (!endpoint) return;
  const { streak, url, email } = endpoint;
  const mail = { recipient: email, now, identity: `webhook ${endpointId} delivery ${id}` };
  if (streak >= PAUSES_AT) {
    await pauseEndpoint(client, { endpointId, reason: "too_many_failures", now });
    await queueMail(client, { ...mail, ...pausedMail({ endpointId, url, streak }) });
  } else if (WARNS_AT.includes(streak)) {
    await queueMail(client, { ...mail, ...failingMail({ endpointId, url, streak, pausesAt: PAUSES_AT }) });
  }
}
