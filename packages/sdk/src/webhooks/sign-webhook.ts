import {
  bytesOf,
  digestBy,
  ownKey,
  secretsIn,
  signedBytes,
  standardKey,
  type WebhookSecrets,
} from "./webhook-signature.ts";

/** A body to sign. */
export interface BodyToSign {
  body: Uint8Array | ArrayBuffer | string;
  /** With two secrets it is signed as during the overlap of a rotation. */
  secret: WebhookSecrets;
  /** The time of the signature; now unless given. */
  now?: Date;
}

/** The headers of a delivery that carry signatures: our own, and those of Standard Webhooks. */
export type SignatureHeaders = Record<
  "service-signature" | "webhook-id" | "webhook-timestamp" | "webhook-signature",
  string
>;

/** Signs a body as the service does, for tests of your own receiver. */
export async function signWebhook({ body, secret, now = new Date() }: BodyToSign): Promise<SignatureHeaders> {
  const bytes = bytesOf(body);
  const secrets = secretsIn(secret);
  const time = String(Math.floor(now.getTime() / 1000));
  const id = idIn(bytes);
  const signed = [signedBytes(`${time}.`, bytes), signedBytes(`${id}.${time}.`, bytes)] as const;
  const digests = await Promise.all(
    secrets.map((each) =>
      Promise.all([
        ownKey(each, "sign").then((key) => digestBy(key, signed[0])),
        standardKey(each).then((key) => digestBy(key, signed[1])),
      ]),
    ),
  );
  return {
    "service-signature": `t=${time},v1=${digests.map(([own]) => hexOf(own)).join(",v1=")}`,
    "webhook-id": id,
    "webhook-timestamp": time,
    "webhook-signature": digests.map(([, standard]) => `v1,${base64Of(standard)}`).join(" "),
  };
}

const hexOf = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

const base64Of = (bytes: Uint8Array): string => btoa(String.fromCharCode(...bytes));

/** The id of the event; a body without one gets `evt_0`. */
function idIn(body: Uint8Array): string {
  try {
    const { id } = JSON.parse(new TextDecoder().decode(body)) as { id?: unknown };
    return typeof id === "string" ? id : "evt_0";
  } catch {
    return "evt_0";
  }
}
