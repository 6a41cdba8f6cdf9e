import type {
  ChangeDeliveryBody,
  CorrectionDeliveryBody,
  DeliveryBody,
  EventType,
  ThinChangeDeliveryBody,
  ThinCorrectionDeliveryBody,
  ThinDeliveryBody,
} from "../generated/operations/types.gen.ts";
import {
  bytesOf,
  isDigest,
  ownKey,
  secretsIn,
  signedBytes,
  type WebhookSecrets,
} from "./webhook-signature.ts";

/** The event of a delivery; `type` tells the types apart. */
export type WebhookEvent<Type extends EventType = EventType> = Type extends EventType
  ? Omit<DeliveryBody, "type"> & { type: Type }
  : never;

/** A delivery to an endpoint whose `payload` is `thin`: read `data.event_url`, or `event(id)` of the client. */
export type ThinWebhookEvent = ThinDeliveryBody;

/** A correction of an event, `data.event`; its `type` is `event_correction`. */
export type WebhookCorrection = CorrectionDeliveryBody;

/** A correction sent to an endpoint whose `payload` is `thin`. */
export type ThinWebhookCorrection = ThinCorrectionDeliveryBody;

/** A change of a watched carrier, `data.change`; its `type` is `carrier_change`. */
export type WebhookChange = ChangeDeliveryBody;

/** A change sent to an endpoint whose `payload` is `thin`: read `data.changes_url`. */
export type ThinWebhookChange = ThinChangeDeliveryBody;

/** A delivery as it arrived. */
export interface Delivery {
  /** The value of the header `Service-Signature`. */
  header: string | readonly string[] | null | undefined;
  /** The body as it arrived, before any parsing: JSON that was parsed and written again may be another text. */
  body: Uint8Array | ArrayBuffer | string;
  /** The endpoint's signing secret, `whsec_` included; while you change it, the new one and the old one. */
  secret: WebhookSecrets;
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
 * The event of a delivery that the service signed just now. Rejects with WebhookVerificationError for any other. A delivery
 * may come more than once: recognise repeats by the event's `id`.
 */
export async function verifyWebhook(delivery: Delivery): Promise<WebhookEvent> {
  const event = await verifyDelivery(delivery);
  if (event.type !== "event_correction" && event.type !== "carrier_change") return event;
  throw malformed("The body is a correction or a change. Verify it with verifyDelivery.");
}

/**
 * The same for an endpoint with `corrections` or `changes`: the event, a correction of one, whose `type` is
 * `event_correction`, or a change of a watched carrier, whose `type` is `carrier_change`.
 */
export async function verifyDelivery(
  delivery: Delivery,
): Promise<WebhookEvent | WebhookCorrection | WebhookChange> {
  const body = await verified(delivery);
  if (body.data && ("usdot" in body.data || "event" in body.data || "change" in body.data))
    return body as WebhookEvent | WebhookCorrection | WebhookChange;
  throw malformed("The body is thin. Verify it with verifyThinWebhook.");
}

/** The same for an endpoint whose `payload` is `thin`. */
export async function verifyThinWebhook(
  delivery: Delivery,
): Promise<ThinWebhookEvent | ThinWebhookCorrection> {
  const event = await verifyThinDelivery(delivery);
  if (event.type !== "carrier_change") return event as ThinWebhookEvent | ThinWebhookCorrection;
  throw malformed("The body is a change. Verify it with verifyThinDelivery.");
}

/** The same for a thin endpoint with `changes`: also a change of a watched carrier, whose `type` is `carrier_change`. */
export async function verifyThinDelivery(
  delivery: Delivery,
): Promise<ThinWebhookEvent | ThinWebhookCorrection | ThinWebhookChange> {
  const event = await verified(delivery);
  if (event.data && ("event_url" in event.data || "changes_url" in event.data))
    return event as ThinWebhookEvent | ThinWebhookCorrection | ThinWebhookChange;
  throw malformed("The body is not thin. Verify it with verifyWebhook.");
}

type AnyBody =
  | DeliveryBody
  | ThinDeliveryBody
  | WebhookCorrection
  | ThinWebhookCorrection
  | WebhookChange
  | ThinWebhookChange;

/** The body of a genuine delivery. */
async function verified(delivery: Delivery): Promise<Partial<AnyBody>> {
  const { body, now = new Date(), toleranceSeconds = 300 } = delivery;
  const { time, signatures } = partsOf(delivery.header);
  const secrets = secretsIn(delivery.secret);
  const bytes = bytesOf(body);
  const signed = signedBytes(`${time}.`, bytes);
  const fits = await Promise.all(secrets.map((secret) => isSignedWith(secret, signed, signatures)));
  if (!fits.includes(true)) {
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

function partsOf(header: Delivery["header"]): {
  time: string;
  signatures: Uint8Array<ArrayBuffer>[];
} {
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
  return { time, signatures: digests.map(bytesOfHex) };
}

const bytesOfHex = (hex: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(hex.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16));

async function isSignedWith(
  secret: string,
  signed: Uint8Array<ArrayBuffer>,
  signatures: readonly Uint8Array<ArrayBuffer>[],
): Promise<boolean> {
  const key = await ownKey(secret, "verify");
  return (await Promise.all(signatures.map((signature) => isDigest(key, signature, signed)))).includes(true);
}

function eventIn(body: Uint8Array): Partial<AnyBody> {
  const event = parsed(new TextDecoder("utf-8", { ignoreBOM: true }).decode(body));
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

function parsed(text: string): Partial<AnyBody> | null {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
