// Explains one carrier to an operator: what the registry has about it, which feeds it is in, and by which rules. Removed
// businesses and contacts are shown and marked as removed, since an operator has to be able to check a removal.
import type pg from "pg";
import { FEEDS, type FeedCode } from "../../feeds/catalogue.ts";
import { versionTable } from "../../feeds/versions/version-table.ts";
import type { Context } from "../../platform/context.ts";
import { dynamic } from "../../platform/database/statement.ts";
import { readOneSnapshot } from "../../platform/database/transaction.ts";
import { OperatorError } from "../../platform/operator-error.ts";
import { LEGACY_CARRIER_CLASSES } from "../../registry/authority-classes.ts";
import { type ExplainedAuthority, grantSentence, statusSentence } from "./authorities.ts";
import { type BlankedContact, blankedContacts } from "./blanked-contacts.ts";
import { findMemberships, type Verdict, verdictOn } from "./feed-membership.ts";
import * as sql from "./statements.ts";

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
  return context.db.bulkTransaction(async (client) => {
    await readOneSnapshot(client);
    const removal = await removalOf(client, usdot);
    const census = await sql.findCensus.run(client, { usdot });
    const authorities = await sql.findAuthorities.run(client, {
      usdot,
      legacyCarrierClasses: LEGACY_CARRIER_CLASSES,
    });
    if (removal === null && census.rows.length + authorities.rows.length === 0) {
      throw new OperatorError(
        `The registry has no USDOT number ${usdot}: neither the census nor an authority names it. Check the number.`,
      );
    }
    return {
      usdot,
      removal,
      census: census.rows[0] ?? null,
      authorities: authorities.rows.map((stored) => ({
        ...stored,
        grant: grantSentence(stored),
        decided_by: statusSentence(stored),
      })),
      blanked_contacts: await blankedContacts(client, usdot),
      feeds: await explainFeeds(client, usdot),
    };
  });
}

async function removalOf(client: pg.ClientBase, usdot: number): Promise<Explanation["removal"]> {
  const { rows } = await sql.findRemoval.run(client, { usdot });
  return rows[0] ? { request: rows[0].request, since: rows[0].since.toISOString() } : null;
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
  const { rows } = await sql.servedVersions.run(client);
  const served = new Map<FeedCode, ServedVersion>();
  for (const row of rows) {
    const { rowCount } = await dynamic(
      client,
      `SELECT FROM ${versionTable(row.version)}
       WHERE usdot = $1 AND usdot NOT IN (SELECT usdot FROM removal_list_business)
         AND NOT EXISTS (
           SELECT FROM removal_list_contact
           WHERE value IN (json::json ->> 'phone', json::json ->> 'cell_phone', json::json ->> 'email'))`,
      [usdot],
    );
    served.set(row.feed, { ...row, is_served: rowCount > 0 });
  }
  return served;
}
