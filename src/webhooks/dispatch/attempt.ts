import type { Context } from "../../platform/context.ts";
import { traced } from "../../platform/tracing/tracing.ts";
import { VERSION } from "../../platform/version.ts";
import { deliveredEventId } from "../deliveries/delivery-body.ts";
import type { Sender, SendResult } from "../egress/sender.ts";
import { signatureOf } from "../signing.ts";
import type { Claimed } from "./claim.ts";
import type { OpenSecret } from "./open-secrets.ts";

/** A finished attempt, to be recorded. */
export interface Attempt extends SendResult {
  claimed: Claimed;
  startedAt: Date;
  /** The Service-Signature header that was sent. */
  signature: string;
}

/**
 * Signs a delivery with the secret that was just read, and starts to send it before it returns. Throws and sends nothing
 * when the secret cannot be decrypted.
 */
export function startAttempt(
  { clock, metrics }: Context,
  { sender, openSecret }: { sender: Sender; openSecret: OpenSecret },
  claimed: Claimed,
): Promise<Attempt> {
  const { url, body } = claimed;
  const endTimer = metrics.signingSeconds.startTimer();
  const startedAt = clock.now();
  const signature = signatureOf(openSecret(claimed), Math.floor(startedAt.getTime() / 1000), body);
  endTimer();
  const headers = {
    "Content-Type": "application/json",
    "User-Agent": `TruckingDataFeed/${VERSION}`,
    "Service-Signature": signature,
    "Service-Event-Id": deliveredEventId(claimed.eventId),
    "Service-Delivery-Id": String(claimed.id),
    "Service-Delivery-Attempt": String(claimed.attempt),
  };
  const send = () => sender.send({ url, headers, body });
  const sent = traced("webhook attempt", send, {
    kind: "client",
    attributesOf: ({ httpStatus, reason }) => ({
      attempt: claimed.attempt,
      ...(httpStatus !== null && { "http.response.status_code": httpStatus }),
      ...(reason !== null && { reason }),
    }),
  });
  return sent.then((result) => ({ ...result, claimed, startedAt, signature }));
}
