import { createHmac, createSecretKey, type KeyObject } from "node:crypto";
import type { Context } from "../../platform/context.ts";
import { openEndpointSecret, SECRET_PREFIX } from "./secret.ts";

/** A secret as the keys of both signatures: made once, for signing is faster with them. */
export interface SigningKey {
  /** Of Service-Signature: the whole secret. */
  own: KeyObject;
  /** Of Standard Webhooks: what the characters after `whsec_` are in base64. */
  standard: KeyObject;
}

export const signingKeyOf = (secret: string): SigningKey => ({
  own: createSecretKey(secret, "utf8"),
  standard: createSecretKey(secret.slice(SECRET_PREFIX.length), "base64"),
});

/** Gives the keys of an endpoint's sealed secret. */
export type OpenSecret = (endpointId: number, sealed: Buffer) => SigningKey;

/** Decrypts secrets, each once: an endpoint is read into new buffers when anything about it has changed. */
export function secretOpener(context: Pick<Context, "secrets">): OpenSecret {
  const opened = new WeakMap<Buffer, SigningKey>();
  return (endpointId, sealed) => {
    const known = opened.get(sealed);
    if (known !== undefined) return known;
    const key = signingKeyOf(openEndpointSecret(context, endpointId, sealed));
    opened.set(sealed, key);
    return key;
  };
}

/**
 * Value of the header Service-Signature: for each secret HMAC-SHA256 over the time, a dot and the body. There are two
 * secrets, the new one and the old one, while the overlap of a rotation runs.
 */
export function signatureOf(
  keys: readonly SigningKey[],
  unixSeconds: number,
  body: string | Uint8Array,
): string {
  const digests = keys.map(({ own }) =>
    createHmac("sha256", own).update(`${unixSeconds}.`).update(body).digest("hex"),
  );
  return `t=${unixSeconds},v1=${digests.join(",v1=")}`;
}

/** The headers of Standard Webhooks. */
export function standardHeaders(
  keys: readonly SigningKey[],
  { id, unixSeconds, body }: { id: string; unixSeconds: number; body: string | Uint8Array },
): Record<string, string> {
  const signatures = keys.map(({ standard }) => {
    const digest = createHmac("sha256", standard)
      .update(`${id}.${unixSeconds}.`)
      .update(body)
      .digest("base64");
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
  const keys = secrets.map(signingKeyOf);
  const used = digests.map((digest) =>
    keys.find((key) => signatureOf([key], unixSeconds, body) === `${time},v1=${digest}`),
  );
  const known = used.filter((key) => key !== undefined);
  if (known.length === 0 || known.length < used.length) return null;
  return standardHeaders(known, { id, unixSeconds, body })["webhook-signature"] ?? null;
}
