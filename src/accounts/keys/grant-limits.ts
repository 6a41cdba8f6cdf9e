// A key can't give more than it has.
import { ProblemError } from "../../platform/http/problem.ts";
import type { Grant } from "./grant.ts";
import { isWithinNetworks } from "./networks.ts";

/** ProblemError exceeds_own_key when a grant has scopes or networks that the caller's has not. */
export function requireWithin(given: Grant, own: Grant): void {
  const missing = given.scopes.filter((scope) => !own.scopes.includes(scope));
  if (missing.length > 0) throw exceeds(`lacks the scopes ${missing.join(", ")}`);
  const { networks } = own;
  if (networks === null) return;
  if (given.networks === null) throw exceeds(`may be used only from ${networks.join(", ")}`);
  const beyond = given.networks.filter((network) => !isWithinNetworks(network, networks));
  if (beyond.length > 0) throw exceeds(`may not be used from ${beyond.join(", ")}`);
}

/** The same when the caller gets a secret of that grant, which must not live longer than its own. */
export function requireSecretWithin(given: Grant, own: Grant): void {
  requireWithin(given, own);
  const { validUntil } = own;
  if (validUntil === null || (given.validUntil !== null && given.validUntil <= validUntil)) return;
  throw exceeds(`ends on ${validUntil.toISOString()}`);
}

const exceeds = (reason: string): ProblemError =>
  new ProblemError(
    "exceeds_own_key",
    `The key that was sent ${reason}. It can give, rotate and revoke only what is within that.`,
  );
