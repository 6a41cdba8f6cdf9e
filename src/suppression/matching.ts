import * as sql from "../generated/sql/suppression.ts";
import type { Queryable } from "../platform/database/statement.ts";
import type { Identifier } from "./asked.ts";
import { type Effects, lockList, putOnList, type ServedFeeds } from "./removal-list.ts";

/** If more active businesses than this share a contact, an operator decides, however many the feeds allow. */
export const MOST_BY_CONTACT = 5;
/** If a docket or contact matches more businesses, active or not, an operator decides. */
export const MOST_IN_ALL = 25;

/** The businesses that an identifier matches. */
export interface Match extends Identifier {
  usdots: number[];
  /** Whether more businesses share the identifier than one request may remove. */
  isShared: boolean;
}

/**
 * The matches of the identifiers in the registry now, in the same order. A shared identifier's match may be incomplete
 * unless `areAllWanted`.
 */
export async function matchesOf(
  client: Queryable,
  identifiers: readonly Identifier[],
  { areAllWanted = false } = {},
): Promise<Match[]> {
  // Prepared, because planning takes longer than running.
  const rows = await sql.findMatches(client, {
    kinds: identifiers.map(({ kind }) => kind),
    values: identifiers.map(({ value }) => value),
    mostFound: areAllWanted ? null : MOST_IN_ALL + 1,
    mostSharing: MOST_BY_CONTACT,
    mostInAll: MOST_IN_ALL,
  });
  return rows.map(({ kind, value, usdots, is_shared }) => ({ kind, value, usdots, isShared: is_shared }));
}

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
export async function resolveRemovals(
  client: Queryable,
  feeds: ServedFeeds,
  now: Date,
): Promise<ResolvedRemovals> {
  await lockList(client);
  const held = await sql.identifiersInEffect(client);
  const [accepted, byRule] = [
    held.filter(({ state }) => state === "accepted"),
    held.filter(({ state }) => state === "in_force"),
  ];
  const all = withMatches(accepted, await matchesOf(client, distinct(accepted), { areAllWanted: true }));
  const some = withMatches(byRule, await matchesOf(client, distinct(byRule)));
  const shared = some.filter(({ match }) => match.isShared);
  await waitForOperator(client, shared, now);
  const { businesses } = await putOnList(client, feeds, effectsOf([...all, ...some], shared), now);
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
  await sql.waitForOperator(client, { requestIds, kinds, now });
}
