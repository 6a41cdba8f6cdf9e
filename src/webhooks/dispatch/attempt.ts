import type { Context } from "../../platform/context.ts";
import { traced } from "../../platform/tracing/tracing.ts";
import { VERSION } from "../../platform/version.ts";
import { deliveredEventId } from "../deliveries/delivery-body.ts";
import type { Sender, SendResult } from "../egress/sender.ts";
import { type SigningKey, signatureOf, standardHeaders } from "../signing.ts";
import type { OpenSecret } from "./open-secrets.ts";
import type { Queued } from "./queued.ts";
import type { EndpointState } from "./state.ts";

/** A finished attempt. */
export interface Attempt extends SendResult {
  startedAt: Date;
  /** The Service-Signature header that was sent. */
  signature: string;
}

/**
 * Signs these bytes with the endpoint's secrets, and starts to send them before it returns. Throws and sends nothing when a
 * secret cannot be decrypted.
 */
export function startAttempt(
  { clock, metrics }: Context,
  { sender, openSecret }: { sender: Sender; openSecret: OpenSecret },
  { queued, endpoint, body }: { queued: Queued; endpoint: EndpointState; body: Buffer },
): Promise<Attempt> {
  const { url } = endpoint;
  const { attempt } = queued;
  const signedFromMs = performance.now();
  const startedAt = clock.now();
  const unixSeconds = Math.floor(startedAt.getTime() / 1000);
  const keys = keysOf(endpoint, startedAt, openSecret);
  const id = deliveredEventId(queued.eventId);
  const signature = signatureOf(keys, unixSeconds, body);
  const standard = standardHeaders(keys, { id, unixSeconds, body });
  metrics.signingSeconds.observe((performance.now() - signedFromMs) / 1000);
  const headers = {
    "Content-Type": "application/json",
    "User-Agent": `TruckingDataFeed/${VERSION}`,
    "Service-Signature": signature,
    "Service-Event-Id": id,
    "Service-Delivery-Id": String(queued.id),
    "Service-Delivery-Attempt": String(attempt),
    ...standard,
  };
  const send = () => sender.send({ url, headers, body });
  const sent = traced("webhook attempt", send, {
    kind: "client",
    attributesOf: ({ httpStatus, reason }) => ({
      attempt,
      ...(httpStatus !== null && { "http.response.status_code": httpStatus }),
      ...(reason !== null && { reason }),
    }),
  });
  return sent.then(({ retryAfter, ...result }) => {
    const asked = endpoint.honorsRetryAfter && retryAfter !== undefined ? { retryAfter } : {};
    return { ...result, ...asked, startedAt, signature };
  });
}

/** The secret's keys, and those of the one before while the overlap of a rotation runs. */
function keysOf(
  { id, secretSealed, previousSecretSealed, previousSecretUntil }: EndpointState,
  startedAt: Date,
  openSecret: OpenSecret,
): SigningKey[] {
  const key = openSecret(id, secretSealed);
  const overlaps = previousSecretUntil !== null && startedAt < previousSecretUntil;
  return overlaps && previousSecretSealed !== null ? [key, openSecret(id, previousSecretSealed)] : [key];
}
