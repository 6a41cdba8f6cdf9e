// How many businesses a carrier is connected with, for the answers that tell it by the way: the numbers of the free summary.
import type { Caller } from "../../accounts/keys/caller.ts";
import * as sql from "../../generated/sql/carriers/connections.ts";
import type { components } from "../../generated/types.ts";
import type { Context } from "../../platform/context.ts";
import { perDatabase } from "../../platform/database/per-database.ts";
import { tickLoader } from "../../platform/database/tick-loader.ts";
import { findBusinesses, isPerson } from "./businesses.ts";
import { areEnough, type Connection, connectionsBy, type Link, linksByNumber, namedTo } from "./links.ts";

type Counts = Required<Pick<components["schemas"]["CarrierOut"], "connected" | "connected_ended">>;

const NOT_KNOWN: Counts = { connected: null, connected_ended: null };

/**
 * How many businesses `readConnections` would list for the caller, and how many of them ended. Null for a natural person, and
 * before connections are found for the first time.
 */
export async function countConnections(context: Context, caller: Caller, usdot: number): Promise<Counts> {
  const found = await loaderOf(context.db).load(usdot);
  if (found === null) return NOT_KNOWN;
  const named = namedTo(caller, found);
  const ended = named.filter(({ business }) => !business.isActive);
  return { connected: named.length, connected_ended: ended.length };
}

// Requests of one event-loop turn share the statements. Most carriers have nothing in common with others: then the
// businesses are not read.
const loaderOf = perDatabase((db) =>
  tickLoader<number, Connection[] | null>(async (asked) => {
    const rows = await sql.linksAndDay(db.pool, { usdots: [...new Set(asked)] });
    const linksOf = new Map(
      rows
        .filter((row) => !isPerson(row))
        .map(({ usdot, links, asOf }) => [usdot, enoughLinks(links, asOf)] as const),
    );
    const others = new Set([...linksOf.values()].flatMap((links) => links.map(([other]) => other)));
    const asOf = rows[0]?.asOf;
    const businesses =
      asOf === undefined || others.size === 0
        ? new Map<never, never>()
        : await findBusinesses({ db }, [...others], asOf);
    return asked.map((usdot) => {
      const links = linksOf.get(usdot);
      return links === undefined ? null : connectionsBy(links, businesses);
    });
  }),
);

const enoughLinks = (rows: readonly sql.LinksRow[], asOf: string): [other: number, links: Link[]][] =>
  [...linksByNumber(rows, asOf)].filter(([, links]) => areEnough(links));
