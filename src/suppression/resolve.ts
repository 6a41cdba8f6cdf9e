import type { Queryable } from "../platform/database/statement.ts";
import { type Match, matchesOf } from "./matching.ts";
import { type Effects, lockList, putOnList } from "./removal-list.ts";
import type { Identifier } from "./requests/asked.ts";
import * as sql from "./statements.ts";

/** An identifier of a request that is in effect. */
type HeldIdentifier = sql.IdentifiersInEffectRow;

/** The changes of the removal list by a new registry. */
export interface ResolvedRemovals {
  /** Businesses that were not on the list before. */
  businesses: number;
  /** Identifiers that became shared and now wait for an operator. */
  waiting: number;
}

/**
 * Matches every identifier in effect against the registry that the caller's transaction sees, and locks the list until
 * it commits. New matches are added; earlier ones stay, even if a business no longer files the identifier. Call it last.
 */
export async function resolveRemovals(client: Queryable, now: Date): Promise<ResolvedRemovals> {
  await lockList(client);
  const { rows: held } = await sql.identifiersInEffect.run(client);
  const [accepted, byRule] = [
    held.filter(({ state }) => state === "accepted"),
    held.filter(({ state }) => state === "in_force"),
  ];
  const all = withMatches(accepted, await matchesOf(client, distinct(accepted), { areAllWanted: true }));
  const some = withMatches(byRule, await matchesOf(client, distinct(byRule)));
  const shared = some.filter(({ match }) => match.isShared);
  await waitForOperator(client, shared, now);
  const { businesses } = await putOnList(client, effectsOf([...all, ...some], shared), now);
  return { businesses, waiting: shared.length };
}

interface MatchedIdentifier {
  held: HeldIdentifier;
  match: Match;
}

const nameOf = ({ kind, value }: Identifier): string => `${kind} ${value}`;

const distinct = (held: readonly HeldIdentifier[]): Identifier[] => [
  ...new Map(held.map(({ kind, value }) => [nameOf({ kind, value }), { kind, value }])).values(),
];

function withMatches(held: readonly HeldIdentifier[], matches: readonly Match[]): MatchedIdentifier[] {
  const byName = new Map(matches.map((match) => [nameOf(match), match]));
  return held.flatMap((each) => {
    const match = byName.get(nameOf(each));
    return match === undefined ? [] : [{ held: each, match }];
  });
}

function effectsOf(pairs: readonly MatchedIdentifier[], shared: readonly MatchedIdentifier[]): Effects {
  const waiting = new Set(shared);
  const inEffect = pairs.filter((pair) => !waiting.has(pair));
  return {
    businesses: inEffect.flatMap(({ held: { requestId }, match }) =>
      match.usdots.map((usdot) => ({ requestId, usdot })),
    ),
    contacts: shared
      .filter(({ held }) => held.kind !== "docket")
      .map(({ held: { requestId, value } }) => ({ requestId, value })),
  };
}

/** A contact that became shared needs an operator's decision; earlier removals stay. */
async function waitForOperator(
  client: Queryable,
  shared: readonly MatchedIdentifier[],
  now: Date,
): Promise<void> {
  if (shared.length === 0) return;
  const requestIds = shared.map(({ held }) => held.requestId);
  const kinds = shared.map(({ held }) => held.kind);
  await sql.waitForOperator.run(client, { requestIds, kinds, now });
}
