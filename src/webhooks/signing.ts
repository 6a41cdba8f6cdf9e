import { createHmac } from "node:crypto";

/** The value of the header Service-Signature for a body sent at a time: HMAC-SHA256 over the time, a dot and the body. */
export function signatureOf(secret: string, unixSeconds: number, body: string | Uint8Array): string {
  const digest = createHmac("sha256", secret).update(`${unixSeconds}.`).update(body).digest("hex");
  return `t=${unixSeconds},v1=${digest}`;
}
