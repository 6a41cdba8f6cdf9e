import { LRUCache } from "lru-cache";
import type { Context } from "../../platform/context.ts";
import { openEndpointSecret } from "../secret.ts";

/** Decrypts the sealed secret that was just read. */
export type OpenSecret = (read: { endpointId: number; secretSealed: Buffer }) => string;

const KEPT = 1_000;

/** Decrypts secrets and caches them by their sealed bytes: rotation changes those bytes. */
export function secretOpener(context: Pick<Context, "secrets">): OpenSecret {
  const opened = new LRUCache<number, { sealed: Buffer; secret: string }>({ max: KEPT });
  return ({ endpointId, secretSealed }) => {
    const known = opened.get(endpointId);
    if (known?.sealed.equals(secretSealed)) return known.secret;
    const secret = openEndpointSecret(context, endpointId, secretSealed);
    opened.set(endpointId, { sealed: secretSealed, secret });
    return secret;
  };
}
