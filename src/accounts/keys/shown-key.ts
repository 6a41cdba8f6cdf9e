import type { components } from "../../generated/types.ts";
import type { Context } from "../../platform/context.ts";
import { type Grant, grantOf } from "./grant.ts";
import { keyModeOf, keyPrefix } from "./key-format.ts";

type KeyOut = components["schemas"]["KeyOut"];

/** A key without its secret. */
export interface KeyShown extends Omit<KeyOut, "key"> {
  account_id: number;
  /** The address of the person, or the identifier of the key, who made it; null: an operator did, or it is not known. */
  made_by: string | null;
}

/** A row of api_key without the hashes of its secrets. */
export interface StoredKey {
  id: string;
  accountId: number;
  name: string;
  createdAt: Date;
  revokedAt: Date | null;
  lastUsedAt: Date | null;
  scopes: readonly string[] | null;
  allowedNetworks: readonly string[] | null;
  expiresAt: Date | null;
  previousValidUntil: Date | null;
  madeBy: string | null;
}

/** What a key may do with its newest secret. */
export const grantOfKey = ({ scopes, allowedNetworks, expiresAt }: StoredKey): Grant =>
  grantOf({ scopes, networks: allowedNetworks, validUntil: expiresAt });

/** Whether a key can be used at that time. */
export const isInUse = ({ revokedAt, expiresAt }: StoredKey, now: Date): boolean =>
  revokedAt === null && (expiresAt === null || expiresAt > now);

/** Whether requests with the key are answered. */
export const isAnswered = ({ state }: KeyShown): boolean => state === "active" || state === "in_grace";

export function shownKey(context: Pick<Context, "live">, key: StoredKey, now: Date): KeyShown {
  const { scopes, networks, validUntil } = grantOfKey(key);
  const graceEnd = endOfGrace(key, now);
  return {
    id: key.id,
    account_id: key.accountId,
    name: key.name,
    prefix: keyPrefix(key.id, keyModeOf(context)),
    state: stateOf(key, now, graceEnd),
    scopes: [...scopes],
    expires_at: validUntil?.toISOString() ?? null,
    allowed_networks: networks && [...networks],
    created_at: key.createdAt.toISOString(),
    last_used_at: key.lastUsedAt?.toISOString() ?? null,
    revoked_at: key.revokedAt?.toISOString() ?? null,
    previous_valid_until: graceEnd?.toISOString() ?? null,
    made_by: key.madeBy,
  };
}

/** The end of the key itself, if that is sooner. Null: no other secret works. */
function endOfGrace(key: StoredKey, now: Date): Date | null {
  const { previousValidUntil: end, expiresAt } = key;
  if (end === null || end <= now || !isInUse(key, now)) return null;
  return expiresAt !== null && expiresAt < end ? expiresAt : end;
}

function stateOf(key: StoredKey, now: Date, graceEnd: Date | null): KeyShown["state"] {
  if (key.revokedAt !== null) return "revoked";
  if (!isInUse(key, now)) return "expired";
  return graceEnd === null ? "active" : "in_grace";
}
