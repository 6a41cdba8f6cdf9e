// Signatures of deliveries by Web Crypto, which Node, browsers, workers and edge platforms all have.

/** The endpoint's signing secret, `whsec_` included; while you change it, the new one and the old one. */
export type WebhookSecrets = string | readonly string[];

const PREFIX = "whsec_";
const HMAC = { name: "HMAC", hash: "SHA-256" };
const encoder = new TextEncoder();

/** Each secret. Throws a TypeError when there is none, or one is no text: others could sign with the text of a null. */
export function secretsIn(given: WebhookSecrets): string[] {
  const secrets = [given].flat().filter((secret) => secret !== "");
  if (secrets.length === 0 || secrets.some((secret) => typeof secret !== "string"))
    throw new TypeError("Give the endpoint's signing secret (whsec_…).");
  return secrets;
}

/** The bytes that are signed: a text, then the body. */
export function signedBytes(before: string, body: Uint8Array): Uint8Array<ArrayBuffer> {
  const start = encoder.encode(before);
  const bytes = new Uint8Array(start.length + body.length);
  bytes.set(start);
  bytes.set(body, start.length);
  return bytes;
}

export const bytesOf = (body: Uint8Array | ArrayBuffer | string): Uint8Array =>
  typeof body === "string" ? encoder.encode(body) : new Uint8Array(body);

/** The key of Service-Signature: the whole secret. */
export const ownKey = (secret: string, use: "sign" | "verify"): Promise<CryptoKey> =>
  crypto.subtle.importKey("raw", encoder.encode(secret), HMAC, false, [use]);

/** The key of Standard Webhooks: what the characters after `whsec_` are in base64. */
export async function standardKey(secret: string): Promise<CryptoKey> {
  const encoded = secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : "";
  if (!/^[A-Za-z0-9+/]+=*$/.test(encoded))
    throw new TypeError("This is no signing secret of an endpoint (whsec_…).");
  const bytes = Uint8Array.from(atob(encoded), (letter) => letter.charCodeAt(0));
  return crypto.subtle.importKey("raw", bytes, HMAC, false, ["sign"]);
}

export const digestBy = async (key: CryptoKey, bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array> =>
  new Uint8Array(await crypto.subtle.sign("HMAC", key, bytes));

/** Whether a digest is that of the bytes, compared in constant time. */
export const isDigest = (
  key: CryptoKey,
  digest: Uint8Array<ArrayBuffer>,
  bytes: Uint8Array<ArrayBuffer>,
): Promise<boolean> => crypto.subtle.verify("HMAC", key, digest, bytes);
