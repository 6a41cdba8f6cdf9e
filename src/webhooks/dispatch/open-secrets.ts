import { LRUCache } from "lru-cache";
import type { Context } from "../../platform/context.ts";
import { openEndpointSecret } from "../secret.ts";
import { type SigningKey, signingKeyOf } from "../signing.ts";

/** Decrypts the sealed secret that was just read; `isPrevious`: the one before a rotation. */
export type OpenSecret = (read: {
  endpointId: number;
  secretSealed: Buffer;
  isPrevious?: boolean;
}) => SigningKey;

const KEPT = 1_000;

/** Decrypts secrets and caches their keys by the sealed bytes: rotation changes those bytes. */
export function secretOpener(context: Pick<Context, "secrets">): OpenSecret {
  const opened = new LRUCache<number, { sealed: Buffer; signingKey: SigningKey }>({ max: KEPT });
  return ({ endpointId, secretSealed, isPrevious = false }) => {
    const key = isPrevious ? -endpointId : endpointId;
    const known = opened.get(key);
    if (known?.sealed.equals(secretSealed)) return known.signingKey;
    const signingKey = signingKeyOf(openEndpointSecret(context, endpointId, secretSealed));
    opened.set(key, { sealed: secretSealed, signingKey });
    return signingKey;
  };
}
