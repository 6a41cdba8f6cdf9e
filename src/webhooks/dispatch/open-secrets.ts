import type { Context } from "../../platform/context.ts";
import { openEndpointSecret } from "../secret.ts";
import { type SigningKey, signingKeyOf } from "../signing.ts";

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
