import type { OwnerMail } from "../../accounts/erased-mails.ts";
import { mailOwners } from "../../accounts/people/owner-mail.ts";
import * as sql from "../../generated/sql/webhooks/endpoints.ts";
import type { Queryable } from "../../platform/database/statement.ts";
import { ATTEMPT_TIMEOUT_MS } from "../egress/sender.ts";
import { pauseEndpoint } from "./pause-or-delete.ts";

/** This many failed deliveries in a row pause an endpoint. */
export const PAUSES_AT = 20;
/** After this many in a row the account's owners get a warning. */
const WARNS_AT: readonly number[] = [10, 15];

/**
 * Counts a delivery that used all its attempts against its endpoint. Warns the owners, and pauses the endpoint at the 20th
 * in a row. Call it in the transaction that marks the delivery as failed, so that each counts once. The count of a
 * paused endpoint stays.
 */
export async function countLostDelivery(client: Queryable, endpointId: number, now: Date): Promise<void> {
  const endpoint = await sql.countFailure(client, { endpointId });
  if (!endpoint) return;
  const { streak, url, accountId } = endpoint;
  if (streak >= PAUSES_AT) {
    await pauseEndpoint(client, { endpointId, reason: "too_many_failures", now });
    await mailOwners(client, accountId, { now, ...pausedMail({ endpointId, url, streak }) });
  } else if (WARNS_AT.includes(streak)) {
    await mailOwners(client, accountId, {
      now,
      ...failingMail({ endpointId, url, streak, pausesAt: PAUSES_AT }),
    });
  }
}

interface Failing {
  endpointId: number;
  url: string;
  /** Failed deliveries in a row. */
  streak: number;
}

interface MailText {
  purpose: OwnerMail;
  subject: string;
  body: string;
}

/** Tells owners that an endpoint keeps failing and will be paused. */
const failingMail = ({ endpointId, url, streak, pausesAt }: Failing & { pausesAt: number }): MailText => ({
  purpose: "webhook_failing",
  subject: `Your webhook endpoint ${endpointId} is failing`,
  body: `${streak} deliveries in a row to your webhook endpoint ${endpointId} (${shown(url)}) have failed, each after all its
retries. After ${pausesAt} in a row the endpoint is paused and its queued deliveries are cancelled.

A delivery is accepted when your endpoint answers any 2xx within ${ATTEMPT_TIMEOUT_MS / 1000} seconds; redirects are not followed. POST
/v1/webhooks/${endpointId}/test sends a test delivery, which does not count.
`,
});

/** Tells owners that an endpoint was paused. */
const pausedMail = ({ endpointId, url, streak }: Failing): MailText => ({
  purpose: "webhook_paused",
  subject: `Your webhook endpoint ${endpointId} was paused`,
  body: `${streak} deliveries in a row to your webhook endpoint ${endpointId} (${shown(url)}) have failed, each after all its
retries. The endpoint is paused: it gets no more events, and its queued deliveries were cancelled.

Test it with POST /v1/webhooks/${endpointId}/test, which also reaches a paused endpoint, and enable it again in the dashboard.
You can read the events that it missed with GET /v1/events.
`,
});

/** The URL without its query, which often holds a secret. */
function shown(url: string): string {
  const { origin, pathname } = new URL(url);
  return origin + pathname;
}
