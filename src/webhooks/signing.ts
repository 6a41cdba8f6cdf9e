import { createHmac } from "node:crypto";

/** Value of the header Service-Signature: HMAC-SHA256 over the time, a dot and the body. */
export function signatureOf(secret: string, unixSeconds: number, body: string | Uint8Array): string {
  const digest = createHmac("sha256", secret).update(`${unixSeconds}.`).update(body).digest("hex");
  return `t=${unixSeconds},v1=${digest}`;
}
