import { createHmac } from "node:crypto";
import { SECRET_PREFIX } from "./secret.ts";

/** The secrets that sign a delivery: one, or the new one and the old one while the overlap of a rotation runs. */
export type SigningSecrets = string | readonly string[];

/** Value of the header Service-Signature: for each secret HMAC-SHA256 over the time, a dot and the body. */
export function signatureOf(secrets: SigningSecrets, unixSeconds: number, body: string | Uint8Array): string {
  const digests = [secrets]
    .flat()
    .map((secret) => createHmac("sha256", secret).update(`${unixSeconds}.`).update(body).digest("hex"));
  return `t=${unixSeconds},v1=${digests.join(",v1=")}`;
}

/** The headers of Standard Webhooks. Their key is what the characters after `whsec_` are in base64. */
export function standardHeaders(
  secrets: SigningSecrets,
  { id, unixSeconds, body }: { id: string; unixSeconds: number; body: string | Uint8Array },
): Record<string, string> {
  const signatures = [secrets].flat().map((secret) => {
    const key = Buffer.from(secret.slice(SECRET_PREFIX.length), "base64");
    const digest = createHmac("sha256", key).update(`${id}.${unixSeconds}.`).update(body).digest("base64");
    return `v1,${digest}`;
  });
  return {
    "webhook-id": id,
    "webhook-timestamp": String(unixSeconds),
    "webhook-signature": signatures.join(" "),
  };
}

/**
 * The header webhook-signature that was sent with the header Service-Signature `signature`. Null when these secrets and
 * this body do not give that signature: then others were used.
 */
export function standardSignatureOf(
  secrets: readonly string[],
  { id, body, signature }: { id: string; body: string; signature: string },
): string | null {
  const [time = "", ...digests] = signature.split(",v1=");
  const unixSeconds = Number(time.slice("t=".length));
  const used = digests.map((digest) =>
    secrets.find((secret) => signatureOf(secret, unixSeconds, body) === `${time},v1=${digest}`),
  );
  const known = used.filter((secret) => secret !== undefined);
  if (known.length === 0 || known.length < used.length) return null;
  return standardHeaders(known, { id, unixSeconds, body })["webhook-signature"] ?? null;
}
