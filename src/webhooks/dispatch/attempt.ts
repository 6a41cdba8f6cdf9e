import type { Context } from "../../platform/context.ts";
import { traced } from "../../platform/tracing/tracing.ts";
import { VERSION } from "../../platform/version.ts";
import { deliveredEventId } from "../deliveries/delivery-body.ts";
import type { Sender, SendResult } from "../egress/sender.ts";
import { signatureOf, standardHeaders } from "../signing.ts";
import type { OpenSecret } from "./open-secrets.ts";

/** A delivery to be sent now. */
interface Outgoing {
  id: number;
  endpointId: number;
  eventId: number;
  /** Number of this attempt. */
  attempt: number;
  url: string;
  secretSealed: Buffer;
  /** The secret before a rotation, which signs too until a time. */
  previousSecretSealed: Buffer | null;
  previousSecretUntil: Date | null;
  /** The exact bytes to sign and send. */
  body: string;
}

/** A finished attempt. */
export interface Attempt extends SendResult {
  startedAt: Date;
  /** The Service-Signature header that was sent. */
  signature: string;
}

/**
 * Signs a delivery with the endpoint's secrets, and starts to send it before it returns. Throws and sends nothing when the
 * secret cannot be decrypted.
 */
export function startAttempt(
  { clock, metrics }: Context,
  { sender, openSecret }: { sender: Sender; openSecret: OpenSecret },
  outgoing: Outgoing,
): Promise<Attempt> {
  const { url, body } = outgoing;
  const endTimer = metrics.signingSeconds.startTimer();
  const startedAt = clock.now();
  const unixSeconds = Math.floor(startedAt.getTime() / 1000);
  const secrets = secretsOf(outgoing, startedAt, openSecret);
  const id = deliveredEventId(outgoing.eventId);
  const signature = signatureOf(secrets, unixSeconds, body);
  const standard = standardHeaders(secrets, { id, unixSeconds, body });
  endTimer();
  const headers = {
    "Content-Type": "application/json",
    "User-Agent": `TruckingDataFeed/${VERSION}`,
    "Service-Signature": signature,
    "Service-Event-Id": id,
    "Service-Delivery-Id": String(outgoing.id),
    "Service-Delivery-Attempt": String(outgoing.attempt),
    ...standard,
  };
  const send = () => sender.send({ url, headers, body });
  const sent = traced("webhook attempt", send, {
    kind: "client",
    attributesOf: ({ httpStatus, reason }) => ({
      attempt: outgoing.attempt,
      ...(httpStatus !== null && { "http.response.status_code": httpStatus }),
      ...(reason !== null && { reason }),
    }),
  });
  return sent.then((result) => ({ ...result, startedAt, signature }));
}

/** The secret, and the one before while an overlap runs. */
function secretsOf(
  { endpointId, secretSealed, previousSecretSealed, previousSecretUntil }: Outgoing,
  startedAt: Date,
  openSecret: OpenSecret,
): string[] {
  const secrets = [openSecret({ endpointId, secretSealed })];
  if (previousSecretSealed !== null && previousSecretUntil !== null && startedAt < previousSecretUntil) {
    secrets.push(openSecret({ endpointId, secretSealed: previousSecretSealed, isPrevious: true }));
  }
  return secrets;
}
