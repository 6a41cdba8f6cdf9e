import { createHmac } from "node:crypto";
import { SECRET_PREFIX } from "./secret.ts";

/** Value of the header Service-Signature: HMAC-SHA256 over the time, a dot and the body. */
export function signatureOf(secret: string, unixSeconds: number, body: string | Uint8Array): string {
  const digest = createHmac("sha256", secret).update(`${unixSeconds}.`).update(body).digest("hex");
  return `t=${unixSeconds},v1=${digest}`;
}

/** The headers of Standard Webhooks. Their key is what the characters after `whsec_` are in base64. */
export function standardHeaders(
  secret: string,
  { id, unixSeconds, body }: { id: string; unixSeconds: number; body: string | Uint8Array },
): Record<string, string> {
  const key = Buffer.from(secret.slice(SECRET_PREFIX.length), "base64");
  const digest = createHmac("sha256", key).update(`${id}.${unixSeconds}.`).update(body).digest("base64");
  return { "webhook-id": id, "webhook-timestamp": String(unixSeconds), "webhook-signature": `v1,${digest}` };
}
