import { createHmac, timingSafeEqual } from "node:crypto";

/** Maximum distance of a delivery's time from now: it is signed when it is sent. */
const TOLERANCE_SECONDS = 300;

/**
 * Whether a delivery is genuine and fresh: the header Service-Signature, `t=<unix_seconds>,v1=<64 hex>`, is the
 * HMAC-SHA256 of the time, a dot and the body's raw bytes under the endpoint's signing secret.
 */
export function isGenuine(
  header: string | undefined,
  rawBody: Buffer,
  secret: string,
  nowSeconds: number = Date.now() / 1000,
): boolean {
  const [, time, signature] = /^t=(\d{1,12}),v1=([0-9a-f]{64})$/.exec(header ?? "") ?? [];
  if (time === undefined || signature === undefined) return false;
  // The raw bytes: JSON that was parsed and written again may be another text.
  const expected = createHmac("sha256", secret).update(`${time}.`).update(rawBody).digest();
  const isSigned = timingSafeEqual(expected, Buffer.from(signature, "hex"));
  return isSigned && Math.abs(nowSeconds - Number(time)) <= TOLERANCE_SECONDS;
}
