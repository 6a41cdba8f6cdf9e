import type { Context } from "../../platform/context.ts";
import { traced } from "../../platform/tracing/tracing.ts";
import { VERSION } from "../../platform/version.ts";
import { deliveredId } from "../deliveries/delivery-body.ts";
import type { Sender, SendResult } from "../egress/sender.ts";
import { type OpenSecret, type SigningKey, signatureOf, standardHeaders } from "../secrets/signing.ts";
import type { Queued } from "./queued.ts";
import type { Queues } from "./queues.ts";
import type { Attempt } from "./record.ts";
import type { Recorder } from "./recorder.ts";
import type { EndpointState } from "./state.ts";

/** When a delivery is tried again whose secret could not be decrypted. */
const DEFER_MS = 20_000;

export interface AttemptsParts {
  sender: Sender;
  openSecret: OpenSecret;
  queues: Queues;
  recorder: Recorder;
  /** When the registration is lost, all attempts are aborted. */
  lost: AbortSignal;
}

/** The attempts in flight. */
export class Attempts {
  readonly #context: Context;
  readonly #parts: AttemptsParts;
  readonly #inFlight = new Set<Promise<void>>();
  /** Grows when attempts are aborted: those that started before have no result. */
  #round = 0;

  constructor(context: Context, parts: AttemptsParts) {
    this.#context = context;
    this.#parts = parts;
    parts.lost.addEventListener("abort", () => this.abort());
  }

  /** Signs a delivery and starts to send it. Its result goes to the recorder. */
  start(queued: Queued, endpoint: EndpointState, body: Buffer): void {
    const { log, metrics, clock } = this.#context;
    const { queues, recorder } = this.#parts;
    let sent: Promise<Attempt>;
    try {
      sent = this.#send(queued, endpoint, body);
    } catch (error) {
      // It is sent once the key is back, and uses no retry.
      log.error({ err: error, endpoint: endpoint.id }, "A delivery could not be signed.");
      queues.of(queued).defer(queued, DEFER_MS);
      return;
    }
    metrics.deliveriesInFlight.inc();
    const round = this.#round;
    const ending = sent.then((attempt) => {
      metrics.deliveriesInFlight.dec();
      this.#inFlight.delete(ending);
      if (round !== this.#round) return queues.of(queued).putBack(queued);
      metrics.attemptSeconds.observe(attempt.durationMs / 1000);
      recorder.add({ queued, attempt, cancelReason: null, endedAt: clock.now() });
    });
    this.#inFlight.add(ending);
  }

  /** Ends all attempts in flight without results: their deliveries are queued again. */
  abort(): void {
    if (this.#inFlight.size === 0) return;
    this.#round += 1;
    this.#context.log.warn(
      { attempts: this.#inFlight.size },
      "Another dispatcher may lease the accounts of this one. Its attempts in flight are aborted and sent again.",
    );
    this.#parts.sender.abort();
  }

  /** Waits at most `graceMs` for the attempts in flight. */
  async ended(graceMs: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const deadline = setTimeout(resolve, graceMs);
    await Promise.race([Promise.all(this.#inFlight), promise]);
    clearTimeout(deadline);
  }

  /** Starts to send before it returns. Throws and sends nothing when a secret cannot be decrypted. */
  #send(queued: Queued, endpoint: EndpointState, body: Buffer): Promise<Attempt> {
    const { clock, metrics } = this.#context;
    const { attempt } = queued;
    const signedFromMs = performance.now();
    const startedAt = clock.now();
    const { headers, signature } = signedHeaders(queued, body, {
      keys: keysOf(endpoint, startedAt, this.#parts.openSecret),
      unixSeconds: Math.floor(startedAt.getTime() / 1000),
    });
    metrics.signingSeconds.observe((performance.now() - signedFromMs) / 1000);
    const { url } = endpoint;
    const send = () => this.#parts.sender.send({ url, headers, body });
    const sent: Promise<SendResult> = traced("webhook attempt", send, {
      kind: "client",
      attributesOf: ({ httpStatus, reason }) => ({
        attempt,
        ...(httpStatus !== null && { "http.response.status_code": httpStatus }),
        ...(reason !== null && { reason }),
      }),
    });
    return sent.then(({ retryAfter, ...result }) => {
      const asked = endpoint.honorsRetryAfter && retryAfter !== undefined ? { retryAfter } : {};
      return { ...result, ...asked, startedAt, url, signature };
    });
  }
}

function signedHeaders(
  queued: Queued,
  body: Buffer,
  { keys, unixSeconds }: { keys: readonly SigningKey[]; unixSeconds: number },
): { headers: Record<string, string>; signature: string } {
  const id = deliveredId(queued);
  const signature = signatureOf(keys, unixSeconds, body);
  const headers = {
    "Content-Type": "application/json",
    "User-Agent": `TruckingDataFeed/${VERSION}`,
    "Service-Signature": signature,
    "Service-Event-Id": id,
    "Service-Delivery-Id": String(queued.id),
    "Service-Delivery-Attempt": String(queued.attempt),
    ...standardHeaders(keys, { id, unixSeconds, body }),
  };
  return { headers, signature };
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
