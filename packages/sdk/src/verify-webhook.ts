import { createHmac, timingSafeEqual } from "node:crypto";
import type { DeliveryBody, EventType, ThinDeliveryBody } from "./generated/operations/types.gen.ts";

/** The event of a delivery; `type` tells the types apart. */
export type WebhookEvent<Type extends EventType = EventType> = Type extends EventType
  ? Omit<DeliveryBody, "type"> & { type: Type }
  : never;

/** A delivery to an endpoint whose `payload` is `thin`: read `data.event_url`, or `event(id)` of the client. */
export type ThinWebhookEvent = ThinDeliveryBody;

/** A delivery as it arrived. */
export interface Delivery {
  /** The value of the header `Service-Signature`. */
  header: string | readonly string[] | null | undefined;
  /** The body as it arrived, before any parsing: JSON that was parsed and written again may be another text. */
  body: Uint8Array | ArrayBuffer | string;
  /** The endpoint's signing secret, `whsec_` included; while you change it, the new one and the old one. */
  secret: string | readonly string[];
  /** The time to compare with; now unless given. */
  now?: Date;
  /** How far the delivery's time may be from now, past or future; 300 unless given. */
  toleranceSeconds?: number;
}

/**
 * Why a delivery was refused.
 *
 * - `missing_header`, `malformed_header`: the signature is not there, or not as the service writes it.
 * - `wrong_signature`: signed with another secret, or not the bytes that were signed.
 * - `too_old`, `too_new`: signed at another time than now. Check your clock.
 * - `malformed_body`: rightly signed, but no event.
 */
export type RefusalReason =
  | "missing_header"
  | "malformed_header"
  | "wrong_signature"
  | "too_old"
  | "too_new"
  | "malformed_body";

/** A delivery that must not be handled. Answer it with 401. */
export class WebhookVerificationError extends Error {
  override readonly name: string = "WebhookVerificationError";
  /** Made for programs. */
  readonly reason: RefusalReason;

  /** Thrown by `verifyWebhook`. */
  constructor(reason: RefusalReason, message: string) {
    super(message);
    this.reason = reason;
  }
}

/**
 * The event of a delivery that the service signed just now. Throws WebhookVerificationError for any other. A delivery
 * may come more than once: recognise repeats by the event's `id`.
 */
export function verifyWebhook(delivery: Delivery): WebhookEvent {
  const event = verified(delivery);
  if (event.data && "usdot" in event.data) return event as WebhookEvent;
  throw malformed("The body is thin. Verify it with verifyThinWebhook.");
}

/** The same for an endpoint whose `payload` is `thin`. */
export function verifyThinWebhook(delivery: Delivery): ThinWebhookEvent {
  const event = verified(delivery);
  if (event.data && "event_url" in event.data) return event as ThinWebhookEvent;
  throw malformed("The body is not thin. Verify it with verifyWebhook.");
}

/** The event of a genuine delivery. */
function verified(delivery: Delivery): Partial<DeliveryBody | ThinDeliveryBody> {
  const { body, now = new Date(), toleranceSeconds = 300 } = delivery;
  const { time, signatures } = partsOf(delivery.header);
  const secrets = [delivery.secret].flat().filter((secret) => secret !== "");
  if (secrets.length === 0)
    throw new TypeError("Give verifyWebhook the endpoint's signing secret (whsec_…).");
  const bytes = typeof body === "string" ? Buffer.from(body) : Buffer.from(new Uint8Array(body));
  const isSigned = secrets.map((secret) => isSignedWith(secret, time, bytes, signatures)).includes(true);
  if (!isSigned) {
    throw new WebhookVerificationError(
      "wrong_signature",
      "The signature does not fit. Check the secret, and that the body is verified as it arrived.",
    );
  }
  const ageSeconds = now.getTime() / 1000 - Number(time);
  if (!(Math.abs(ageSeconds) <= toleranceSeconds)) {
    const [reason, where] = ageSeconds > 0 ? (["too_old", "ago"] as const) : (["too_new", "ahead"] as const);
    throw new WebhookVerificationError(
      reason,
      `The delivery was signed ${Math.round(Math.abs(ageSeconds))} s ${where}; ${toleranceSeconds} s are allowed. ` +
        "Check this clock.",
    );
  }
  return eventIn(bytes);
}

function partsOf(header: Delivery["header"]): { time: string; signatures: Buffer[] } {
  const value = [header ?? []].flat().join();
  if (value === "") {
    throw new WebhookVerificationError("missing_header", "The header Service-Signature is missing.");
  }
  // A second signature, of the old secret, is there while the overlap of a rotation runs.
  const [, time, signatures] = /^t=(\d{1,12})((?:,v1=[0-9a-f]{64}){1,2})$/.exec(value) ?? [];
  if (time === undefined || signatures === undefined) {
    throw new WebhookVerificationError(
      "malformed_header",
      "The header Service-Signature does not have the form t=<unix seconds>,v1=<64 hex digits>, with one or two v1.",
    );
  }
  const digests = signatures.split(",v1=").slice(1);
  return { time, signatures: digests.map((digest) => Buffer.from(digest, "hex")) };
}

function isSignedWith(secret: string, time: string, body: Buffer, signatures: readonly Buffer[]): boolean {
  const expected = createHmac("sha256", secret).update(`${time}.`).update(body).digest();
  return signatures.map((signature) => timingSafeEqual(expected, signature)).includes(true);
}

function eventIn(body: Buffer): Partial<DeliveryBody | ThinDeliveryBody> {
  const event = parsed(body.toString("utf8"));
  const isEvent =
    typeof event?.id === "string" &&
    typeof event.type === "string" &&
    typeof event.data === "object" &&
    event.data !== null;
  if (!isEvent) throw malformed("The body holds no event.");
  return event;
}

const malformed = (message: string): WebhookVerificationError =>
  new WebhookVerificationError("malformed_body", message);

function parsed(text: string): Partial<DeliveryBody | ThinDeliveryBody> | null {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
