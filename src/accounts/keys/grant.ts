// What a key may do: scopes, networks and an end. They never change while a key lives.
import { type Scope, scopes } from "../../generated/scopes.ts";
import { ProblemError } from "../../platform/http/problem.ts";
import { isInNetworks } from "./networks.ts";

/** What a key may do. */
export interface Grant {
  scopes: readonly Scope[];
  /** The networks, in CIDR form, that it may be used from; null: any. */
  networks: readonly string[] | null;
  /** When it ends; null: never. Of a secret that was replaced, when its grace ends if that is sooner. */
  validUntil: Date | null;
}

/** Every scope, in the order of the contract. */
export const ALL_SCOPES = Object.keys(scopes) as Scope[];

/** The scopes of a key that was made without scopes, and of each key of 1.0. */
export const USUAL_SCOPES: readonly Scope[] = ALL_SCOPES.filter((scope) => !scopes[scope].isOnRequest);

/** Whether these are the usual scopes, in the order of the contract, as `checkedTerms` and `shownKey` give them. */
export const areUsual = (asked: readonly string[]): boolean => asked.join() === USUAL_SCOPES.join();

/** What an account's own users may do in the dashboard, and an operator on the command line. */
export const FULL_GRANT: Grant = { scopes: ALL_SCOPES, networks: null, validUntil: null };

/** Networks as the database has them: without any, null. */
export const storedNetworks = (networks: readonly string[] | null): readonly string[] | null =>
  networks?.length ? networks : null;

/** A grant as the database has it: without scopes the usual ones, without networks any. */
export const grantOf = (stored: {
  scopes: readonly string[] | null;
  networks: readonly string[] | null;
  validUntil: Date | null;
}): Grant => ({
  scopes: stored.scopes?.length ? (stored.scopes as Scope[]) : USUAL_SCOPES,
  networks: storedNetworks(stored.networks),
  validUntil: stored.validUntil,
});

/** ProblemError insufficient_scope. */
export function requireScope({ grant }: { grant: Grant }, scope: Scope | null): void {
  if (scope === null || grant.scopes.includes(scope)) return;
  throw new ProblemError(
    "insufficient_scope",
    `This operation needs the scope ${scope}, which the key does not have. It has ${grant.scopes.join(", ")}.`,
  );
}

/** Whether a key with this grant may be used from the client's address. */
export const isAllowedFrom = ({ networks }: Pick<Grant, "networks">, clientAddress: string): boolean =>
  networks === null || isInNetworks(clientAddress, networks);

/** The problem of a request from an address that a key's networks do not have. */
export const networkNotAllowed = (clientAddress: string): ProblemError =>
  new ProblemError(
    "network_not_allowed",
    `This key may not be used from ${clientAddress}, only from its allowed networks.`,
  );
