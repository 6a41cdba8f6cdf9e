// Explaining one carrier to an operator: what the registry says of it, which feeds it stands in, and by which rules.
import type { Context } from "../../platform/context.ts";
import { OperatorError } from "../../platform/operator-error.ts";
import { loadSql } from "../../platform/sql.ts";
import { FEEDS, type FeedCode } from "../catalogue.ts";
import { versionTable } from "../version-table.ts";
import { type ExplainedAuthority, grantSentence, type StoredAuthority } from "./authority.ts";
import { judgeCarriers } from "./judge.ts";
import { type Verdict, verdictOn } from "./verdict.ts";

const readAuthorities = loadSql(import.meta.url, "authorities.sql");
const readBlankedContacts = loadSql(import.meta.url, "blanked-contacts.sql");

export interface Explanation {
  usdot: number;
  /** The census row; null where the census does not know the number. */
  census: Record<string, unknown> | null;
  authorities: ExplainedAuthority[];
  blanked_contacts: { field: string; value: string; why: string }[];
  feeds: ExplainedFeed[];
}

export interface ExplainedFeed extends Verdict {
  /** The served version and its as-of day; null while the feed is not live. */
  version: number | null;
  as_of: string | null;
  /** Whether the served version holds it: differs from `is_in` when lists or rules changed since it was published. */
  is_served: boolean;
}

/** Explains one carrier. OperatorError when the registry does not know its USDOT number. */
export async function explainCarrier(context: Context, usdot: number): Promise<Explanation> {
  return context.db.bulkTransaction(async (client) => {
    // One snapshot: an import that publishes in between must not be half seen.
    await client.query("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ");
    const census = await client.query<Record<string, unknown>>("SELECT * FROM census WHERE usdot = $1", [
      usdot,
    ]);
    const authorities = await client.query<StoredAuthority>(readAuthorities, [usdot]);
    if (census.rows.length + authorities.rows.length === 0) {
      throw new OperatorError(
        `The registry knows no USDOT number ${usdot}: it stands neither in the census nor on an authority; check the number.`,
      );
    }
    const blanked = await client.query<BlankedContact>(readBlankedContacts, [usdot]);
    const { rows: current } = await client.query<{ feed: FeedCode; version: number; as_of: string }>(
      `SELECT feed_current.feed_code AS feed, id AS version, as_of FROM feed_current JOIN feed_version ON id = version_id`,
    );
    const served = new Set<FeedCode>();
    for (const { feed, version } of current) {
      const { rowCount } = await client.query(`SELECT FROM ${versionTable(version)} WHERE usdot = $1`, [
        usdot,
      ]);
      if (rowCount) served.add(feed);
    }
    const judged = await judgeCarriers(
      client,
      [usdot],
      new Map(current.map(({ feed, as_of }) => [feed, as_of])),
    );
    return {
      usdot,
      census: census.rows[0] ?? null,
      authorities: authorities.rows.map((stored) => ({ ...stored, grant: grantSentence(stored) })),
      blanked_contacts: blanked.rows.map(({ field, value, ...why }) => ({
        field,
        value,
        why: blankedBecause(why),
      })),
      feeds: FEEDS.map(({ code }) => {
        const { version = null, as_of = null } = current.find(({ feed }) => feed === code) ?? {};
        const verdict = verdictOn(
          code,
          judged.filter(({ feed }) => feed === code),
        );
        const because = version === null ? ["the feed is not live yet"] : verdict.because;
        return { ...verdict, because, version, as_of, is_served: served.has(code) };
      }),
    };
  });
}

interface BlankedContact {
  field: string;
  value: string;
  shared_by: number | null;
  agent_by: "phone" | "email_domain" | null;
  note: string | null;
}

function blankedBecause({ shared_by, agent_by, note }: Omit<BlankedContact, "field" | "value">): string {
  const what = agent_by === "phone" ? "its number" : "its domain";
  return [
    shared_by === null ? null : `shared: it stands on ${shared_by} active USDOT numbers`,
    agent_by === null ? null : `an agent's: ${what} is on the list${note ? ` (${note})` : ""}`,
  ]
    .filter((reason) => reason !== null)
    .join("; ");
}
