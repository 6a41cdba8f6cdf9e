import { randomBase62 } from "../platform/base62.ts";
import type { Context } from "../platform/context.ts";

// whsec_ and 40 letters and digits (238 bits): one pattern finds every secret that leaks into a text. The whole text,
// whsec_ included, is the key that deliveries are signed with.
const SECRET_PREFIX = "whsec_";
const RANDOM_LENGTH = 40;
const SHOWN_LENGTH = SECRET_PREFIX.length + 4;

/** A new signing secret. It is shown once and kept sealed. */
export const newEndpointSecret = (): string => `${SECRET_PREFIX}${randomBase62(RANDOM_LENGTH)}`;

/** The leading characters, by which a customer tells secrets apart. */
export const secretPrefixOf = (secret: string): string => secret.slice(0, SHOWN_LENGTH);

/** The secret as it is kept; it opens for this endpoint only. */
export const sealEndpointSecret = (
  { secrets }: Pick<Context, "secrets">,
  endpointId: number,
  secret: string,
): Buffer => secrets.seal(secret, boundTo(endpointId));

/** The secret to sign with; an Error where the sealed value was altered or is of another endpoint. */
export const openEndpointSecret = (
  { secrets }: Pick<Context, "secrets">,
  endpointId: number,
  sealed: Uint8Array,
): string => secrets.open(sealed, boundTo(endpointId));

const boundTo = (endpointId: number): string => `webhook_endpoint ${endpointId}`;
