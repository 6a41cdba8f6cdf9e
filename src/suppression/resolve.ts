import type pg from "pg";
import { type Match, matchesOf } from "./matching.ts";
import { type Effects, lockList, putOnList } from "./removal-list.ts";
import type { Identifier } from "./requests/asked.ts";

/** An identifier of a request that is in effect. */
interface HeldIdentifier extends Identifier {
  requestId: number;
  state: "in_force" | "accepted";
}

/** What the removal list gained from a new registry. */
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
export async function resolveRemovals(client: pg.ClientBase, now: Date): Promise<ResolvedRemovals> {
  await lockList(client);
  const { rows: held } = await client.query<HeldIdentifier>(
    `SELECT request_id AS "requestId", kind, value, state FROM removal_identifier
     WHERE state IN ('in_force', 'accepted') AND kind <> 'usdot' ORDER BY request_id, kind`,
  );
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
  client: pg.ClientBase,
  shared: readonly MatchedIdentifier[],
  now: Date,
): Promise<void> {
  if (shared.length === 0) return;
  const requestIds = shared.map(({ held }) => held.requestId);
  const kinds = shared.map(({ held }) => held.kind);
  await client.query(
    `WITH waiting AS (
       UPDATE removal_identifier AS stored SET state = 'waiting', is_blanked = stored.kind <> 'docket'
       FROM unnest($1::bigint[], $2::text[]) AS shared (request_id, kind)
       WHERE stored.request_id = shared.request_id AND stored.kind = shared.kind
     )
     INSERT INTO removal_decision (request_id, decision, decided_at, decided_by, reason)
     SELECT request_id, 'review', $3, 'rule',
       format('the %s is shared by more businesses than one request removes', string_agg(kind, ' and the '))
     FROM unnest($1::bigint[], $2::text[]) AS shared (request_id, kind)
     GROUP BY request_id
     ON CONFLICT DO NOTHING`,
    [requestIds, kinds, now],
  );
}
