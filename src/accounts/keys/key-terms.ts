// What a new key is asked to be: by a request, in the dashboard or on the command line.
import type { Scope } from "../../generated/scopes.ts";
import { DAY_MS } from "../../platform/clock.ts";
import { type Fault, InvalidRequestError, invalidTime } from "../../platform/http/invalid-request.ts";
import { instantMs } from "../../platform/rfc3339.ts";
import { ALL_SCOPES } from "./grant.ts";
import { MOST_NETWORKS, networkFrom } from "./networks.ts";

/** Members of `NewKeyIn` of the contract, apart from the name. */
export interface AskedTerms {
  scopes?: readonly string[] | undefined;
  expires_at?: string | null | undefined;
  expires_in_days?: number | undefined;
  allowed_networks?: readonly string[] | null | undefined;
}

/** What a key is made with. Without scopes it has the usual ones, without networks it may be used from any. */
export interface KeyTerms {
  scopes: readonly Scope[];
  networks: readonly string[];
  expiresAt: Date | null;
}

export const NO_TERMS: KeyTerms = { scopes: [], networks: [], expiresAt: null };

/** The terms, each scope and network once. InvalidRequestError that names the members that do not fit. */
export function checkedTerms(asked: AskedTerms, now: Date): KeyTerms {
  const faults: Fault[] = [];
  const scopes = scopesOf(asked.scopes ?? [], faults);
  const networks = networksOf(asked.allowed_networks ?? [], faults);
  const expiresAt = endOf(asked, now, faults);
  if (faults.length > 0) throw new InvalidRequestError(faults);
  return { scopes, networks, expiresAt };
}

function scopesOf(asked: readonly string[], faults: Fault[]): Scope[] {
  asked.forEach((scope, index) => {
    if (!ALL_SCOPES.includes(scope as Scope)) faults.push(unknownScope(index));
  });
  return ALL_SCOPES.filter((scope) => asked.includes(scope));
}

const unknownScope = (index: number): Fault => ({
  loc: ["body", "scopes", index],
  msg: `must be one of ${ALL_SCOPES.join(", ")}`,
  type: "enum",
});

function networksOf(asked: readonly string[], faults: Fault[]): string[] {
  if (asked.length > MOST_NETWORKS) {
    const msg = `must have at most ${MOST_NETWORKS} items`;
    faults.push({ loc: ["body", "allowed_networks"], msg, type: "maxItems" });
    return [];
  }
  const networks = asked.map((text, index) => {
    const network = networkFrom(text);
    if (network === null) faults.push(unreadableNetwork(index));
    return network;
  });
  return [...new Set(networks)].filter((network) => network !== null);
}

const unreadableNetwork = (index: number): Fault => ({
  loc: ["body", "allowed_networks", index],
  msg: "must be an address such as 203.0.113.7, or a network by its first address, such as 203.0.113.0/24 or 2001:db8::/32",
  type: "network",
});

/** By its offset a time may be of a later year, which no answer could have. */
const LAST_END_MS = Date.parse("9999-12-31T23:59:59.999Z");

function endOf({ expires_at, expires_in_days }: AskedTerms, now: Date, faults: Fault[]): Date | null {
  if (expires_in_days !== undefined) {
    if (expires_at !== undefined) faults.push(endGivenTwice);
    return new Date(now.getTime() + expires_in_days * DAY_MS);
  }
  if (expires_at === undefined || expires_at === null) return null;
  const endMs = instantMs(expires_at);
  if (endMs === null || endMs > LAST_END_MS) faults.push(invalidTime("body", "expires_at"));
  else if (endMs <= now.getTime())
    faults.push({ loc: ["body", "expires_at"], msg: "must not be over yet", type: "past" });
  return endMs === null ? null : new Date(endMs);
}

const endGivenTwice: Fault = {
  loc: ["body", "expires_in_days"],
  msg: "can't be given together with expires_at",
  type: "not",
};
