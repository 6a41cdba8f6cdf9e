// Explains one carrier to an operator: what the registry has about it, which feeds it is in, and by which rules. Removed
// businesses and contacts are shown and marked as removed, since an operator has to be able to check a removal.
import type pg from "pg";
import { columnNames, FEEDS, type Feed, type FeedCode, feedOf, isContact } from "../../feeds/catalogue.ts";
import { versionTable } from "../../feeds/versions/feed-version.ts";
import * as sql from "../../generated/sql/carriers/explain.ts";
import { dayOf } from "../../platform/clock.ts";
import type { Context } from "../../platform/context.ts";
import { dynamic, type Queryable } from "../../platform/database/statement.ts";
import { inOneSnapshot } from "../../platform/database/transaction.ts";
import { OperatorError } from "../../platform/operator-error.ts";
import { LEGACY_CARRIER_CLASSES } from "../../registry/authority-classes.ts";
import { type ExplainedAuthority, grantSentence, statusSentence } from "./explained-authorities.ts";
import { findMemberships, type Verdict, verdictOn } from "./feed-membership.ts";

export interface Explanation {
  usdot: number;
  /** The request that put the business on the removal list, and since when; null if it is not on the list. */
  removal: { request: number; since: string } | null;
  /** The census row; null if the census does not have the number. */
  census: sql.FindCensusRow | null;
  authorities: ExplainedAuthority[];
  blanked_contacts: BlankedContact[];
  feeds: ExplainedFeed[];
}

export interface ExplainedFeed extends Verdict {
  /** The served version and its as-of day; null while the feed is not live. */
  version: number | null;
  as_of: string | null;
  /** Whether customers find it in the served version. Differs from `is_in` when lists or rules changed since. */
  is_served: boolean;
}

/** Explains one carrier. OperatorError when neither the registry nor the removal list knows its USDOT number. */
export async function explainCarrier(context: Context, usdot: number): Promise<Explanation> {
  return inOneSnapshot(context.db.bulkPool, async (client) => {
    const removal = await removalOf(client, usdot);
    const census = await sql.findCensus(client, { usdot });
    const authorities = await storedAuthorities(client, usdot);
    if (removal === null && census === undefined && authorities.length === 0) {
      throw new OperatorError(
        `The registry has no USDOT number ${usdot}: neither the census nor an authority names it. Check the number.`,
      );
    }
    return {
      usdot,
      removal,
      census: census ?? null,
      authorities: authorities.map((stored) => ({
        ...stored,
        grant: grantSentence(stored),
        decided_by: statusSentence(stored),
      })),
      blanked_contacts: await blankedContacts(client, usdot),
      feeds: await explainFeeds(client, usdot),
    };
  });
}

/** Every authority of a carrier with its history, orders and insurance, as the registry has them. */
export const storedAuthorities = (client: Queryable, usdot: number): Promise<sql.FindAuthoritiesRow[]> =>
  sql.findAuthorities(client, { usdot, legacyCarrierClasses: LEGACY_CARRIER_CLASSES });

/** The as-of day of the served version of each live feed. */
export async function servedDays(client: Queryable): Promise<Map<FeedCode, string>> {
  const rows = await sql.servedVersions(client);
  return new Map(rows.map(({ feed, as_of }) => [feed, as_of]));
}

async function removalOf(client: pg.ClientBase, usdot: number): Promise<Explanation["removal"]> {
  const row = await sql.findRemoval(client, { usdot });
  return row ? { request: row.request, since: row.since.toISOString() } : null;
}

async function explainFeeds(client: pg.ClientBase, usdot: number): Promise<ExplainedFeed[]> {
  const versions = await servedVersions(client, usdot);
  const asOfDays = new Map([...versions].map(([feed, { as_of }]) => [feed, as_of]));
  const memberships = await findMemberships(client, [usdot], asOfDays);
  return FEEDS.map(({ code }) => {
    const { version = null, as_of = null, is_served = false } = versions.get(code) ?? {};
    const verdict = verdictOn(
      code,
      memberships.filter(({ feed }) => feed === code),
    );
    const because = version === null ? ["the feed is not live yet"] : verdict.because;
    return { ...verdict, because, version, as_of, is_served };
  });
}

interface ServedVersion extends sql.ServedVersionsRow {
  is_served: boolean;
}

/** The served version of each live feed, and whether customers find the carrier in it. */
async function servedVersions(
  client: pg.ClientBase,
  usdot: number,
): Promise<ReadonlyMap<FeedCode, ServedVersion>> {
  const rows = await sql.servedVersions(client);
  const served = new Map<FeedCode, ServedVersion>();
  for (const row of rows) {
    const contacts = columnNames(feedOf(row.feed) as Feed, isContact).map(
      (name) => `json::json ->> '${name}'`,
    );
    const { rowCount } = await dynamic(
      client,
      `SELECT FROM ${versionTable(row.version)}
       WHERE usdot = $1 AND usdot NOT IN (SELECT usdot FROM removal_list_business)
         AND NOT EXISTS (
           SELECT FROM removal_list_contact
           WHERE value IN (${contacts.join(", ")}))`,
      [usdot],
    );
    served.set(row.feed, { ...row, is_served: rowCount > 0 });
  }
  return served;
}

/** A filed contact that no record shows. */
interface BlankedContact {
  field: string;
  value: string;
  why: string;
}

type Reasons = Omit<sql.FindBlankedRow, "field" | "value">;

/** The filed contacts of a carrier that no record shows, each with the reasons in words. */
async function blankedContacts(client: Queryable, usdot: number): Promise<BlankedContact[]> {
  const rows = await sql.findBlanked(client, { usdot });
  return rows.map(({ field, value, ...reasons }) => ({ field, value, why: inWords(reasons) }));
}

function inWords({ shared_by, agent_by, note, removed_by, removed_at }: Reasons): string {
  const what = { phone: "its number", email: "its address", email_domain: "its domain" }[agent_by ?? "phone"];
  return [
    shared_by === null ? null : `shared: ${shared_by} active USDOT numbers file it`,
    agent_by === null ? null : `an agent's: ${what} is on the list${note ? ` (${note})` : ""}`,
    removed_at === null ? null : `on the removal list since ${dayOf(removed_at)} (request ${removed_by})`,
  ]
    .filter((reason) => reason !== null)
    .join("; ");
}
