import { LRUCache } from "lru-cache";
import type { Context } from "../../platform/context.ts";
import { openEndpointSecret } from "../secret.ts";

/** Decrypts the sealed secret that was just read; `isPrevious`: the one before a rotation. */
export type OpenSecret = (read: { endpointId: number; secretSealed: Buffer; isPrevious?: boolean }) => string;

const KEPT = 1_000;

/** Decrypts secrets and caches them by their sealed bytes: rotation changes those bytes. */
export function secretOpener(context: Pick<Context, "secrets">): OpenSecret {
  const opened = new LRUCache<number, { sealed: Buffer; secret: string }>({ max: KEPT });
  return ({ endpointId, secretSealed, isPrevious = false }) => {
    const key = isPrevious ? -endpointId : endpointId;
    const known = opened.get(key);
    if (known?.sealed.equals(secretSealed)) return known.secret;
    const secret = openEndpointSecret(context, endpointId, secretSealed);
    opened.set(key, { sealed: secretSealed, secret });
    return secret;
  };
}
