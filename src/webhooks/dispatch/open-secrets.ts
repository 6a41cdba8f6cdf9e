import { LRUCache } from "lru-cache";
import type { Context } from "../../platform/context.ts";
import { openEndpointSecret } from "../secret.ts";

/** Gives the secret that a sealed one, just read, stands for. */
export type OpenSecret = (read: { endpointId: number; secretSealed: Buffer }) => string;

const KEPT = 1_000;

/** Opens secrets, and remembers by the sealed bytes what was in them: a rotated one has other bytes. */
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
