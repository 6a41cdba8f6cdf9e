import { randomBase62 } from "../../platform/base62.ts";
import type { Context } from "../../platform/context.ts";

// whsec_ and 40 letters and digits (238 bits): one pattern finds every secret that leaked into a text. Deliveries are signed
// with the whole text, whsec_ included.
export const SECRET_PREFIX = "whsec_";
// Standard Webhooks reads these as base64, so their number is a multiple of 4.
const RANDOM_LENGTH = 40;
const SHOWN_LENGTH = SECRET_PREFIX.length + 4;

/** A new signing secret. It is shown once and stored encrypted. */
export const newEndpointSecret = (): string => `${SECRET_PREFIX}${randomBase62(RANDOM_LENGTH)}`;

/** The first characters, by which a customer tells secrets apart. */
export const secretPrefixOf = (secret: string): string => secret.slice(0, SHOWN_LENGTH);

/** Encrypts a secret; only this endpoint's id decrypts it. */
export const sealEndpointSecret = (
  { secrets }: Pick<Context, "secrets">,
  endpointId: number,
  secret: string,
): Buffer => secrets.seal(secret, boundTo(endpointId));

/** Decrypts a secret; throws when the value was altered or is another endpoint's. */
export const openEndpointSecret = (
  { secrets }: Pick<Context, "secrets">,
  endpointId: number,
  sealed: Uint8Array,
): string => secrets.open(sealed, boundTo(endpointId));

const boundTo = (endpointId: number): string => `webhook_endpoint ${endpointId}`;
