// Which businesses have something in common with a carrier. Facts of the registry, never a verdict, and never the value
// that is shared: it stays in the database.
import type { Caller } from "../accounts/keys/caller.ts";
import * as sql from "../generated/sql/carriers/connections.ts";
import type { components } from "../generated/types.ts";
import { dayOf } from "../platform/clock.ts";
import type { Context } from "../platform/context.ts";
import { openCursor, sealCursor } from "../platform/http/cursor.ts";
import { InvalidRequestError, unknownCursor } from "../platform/http/invalid-request.ts";
import { ProblemError } from "../platform/http/problem.ts";
import { recordedSince } from "../registry/changes/record-changes.ts";
import { notFound, visibleRecords } from "./carrier-lookup.ts";
import { type Business, daysBetween, factsOf, findBusinesses } from "./connections/businesses.ts";
import {
  areEnough,
  type Connection,
  connectionsBy,
  type LinkKind,
  linksByNumber,
  namedTo,
} from "./connections/links.ts";
import { payForBusinesses } from "./connections/payment.ts";

type ConnectionsOut = components["schemas"]["ConnectionsOut"];
type ConnectionOut = ConnectionsOut["data"][number];

export interface ConnectionsQuery {
  link?: readonly LinkKind[] | undefined;
  state?: "active" | "ended" | undefined;
  limit: number;
  cursor?: string | undefined;
}

/**
 * The connections of a carrier, for who may look it up: their summary, which is free, and a page of businesses, each of
 * which costs a row once a month. InvalidRequestError for a cursor of another answer; ProblemError not_found like the
 * lookup and for a natural person, stale_source, unavailable, quota_exceeded.
 */
export async function readConnections(
  context: Context,
  caller: Caller,
  usdot: string,
  { link, state, limit, cursor }: ConnectionsQuery,
): Promise<ConnectionsOut> {
  const number = Number(usdot);
  const owner = [number, state, ...(link ?? []).toSorted()].join(" ");
  const after = cursor === undefined ? null : positionOf(owner, cursor);
  if ((await visibleRecords(context, caller, [number])).size === 0) throw notFound(usdot);
  const found = await findConnections(context, caller, usdot);
  const wanted = found.listed.filter(
    ({ business, links }) =>
      (state === undefined || business.isActive === (state === "active")) &&
      (link === undefined || links.some(({ kind }) => (link as readonly string[]).includes(kind))) &&
      (after === null || isAfter({ business, links }, after)),
  );
  const shown = wanted.slice(0, limit);
  await payForBusinesses(
    context,
    caller,
    shown.map(({ business }) => business.usdot),
  );
  const last = shown.at(-1);
  return {
    usdot: String(number),
    as_of: found.asOf,
    recorded_since: found.recordedSince?.toISOString() ?? null,
    summary: found.summary,
    data: shown.map((connection) => connectionOut(found, connection)),
    next_cursor:
      last && wanted.length > shown.length
        ? sealCursor(FORM, owner, [last.links.length, last.business.usdot])
        : null,
  };
}

/** The one with the most links first. */
const inOrder = (one: Connection, other: Connection): number =>
  other.links.length - one.links.length || one.business.usdot - other.business.usdot;

const FORM = "cn1";

function positionOf(owner: string, cursor: string): [links: number, usdot: number] {
  const [links = Number.NaN, usdot = Number.NaN] = (openCursor(FORM, owner, cursor) ?? []).map(Number);
  if (Number.isInteger(links) && Number.isInteger(usdot)) return [links, usdot];
  throw new InvalidRequestError([
    unknownCursor("must be next_cursor of an earlier answer for this carrier, with the same link and state"),
  ]);
}

const isAfter = ({ business, links }: Connection, [count, usdot]: [number, number]): boolean =>
  links.length < count || (links.length === count && business.usdot > usdot);

interface Connections {
  carrier: Business;
  asOf: string;
  recordedSince: Date | undefined;
  listed: Connection[];
  facts: Awaited<ReturnType<typeof factsOf>>;
  summary: ConnectionsOut["summary"];
}

async function findConnections(context: Context, caller: Caller, usdot: string): Promise<Connections> {
  const { pool, prisma } = context.db;
  const number = Number(usdot);
  const [index, rows, recorded] = await Promise.all([
    prisma.sharedValueIndex.findFirst(),
    sql.links(pool, { usdots: [number] }),
    recordedSince(context),
  ]);
  if (index === null) throw new ProblemError("unavailable", NOT_MADE, { retryAfterSeconds: 60 });
  const asOf = dayOf(index.asOf);
  const links = linksByNumber(rows, asOf);
  const businesses = await findBusinesses(context, [number, ...links.keys()], asOf);
  const carrier = businesses.get(number);
  if (carrier === undefined || carrier.isPerson) throw notFound(usdot);
  const all = connectionsBy(links, businesses);
  const enough = all.filter((each) => areEnough(each.links));
  const companies = namedTo(caller, all);
  const listed = companies.filter((each) => areEnough(each.links)).sort(inOrder);
  const facts = await factsOf(
    context,
    listed.map(({ business }) => business.usdot),
    asOf,
  );
  const persons = enough.filter(({ business }) => business.isPerson).length;
  const summary = {
    connected: listed.length,
    ended: listed.filter(({ business }) => !business.isActive).length,
    out_of_service: listed.filter(({ business }) =>
      facts.get(business.usdot)?.some(({ code }) => code === "out_of_service"),
    ).length,
    by_link: countByKind(companies),
    single_links: companies.length - listed.length,
    left_out: { persons, outside_regions: enough.length - persons - listed.length },
  };
  return { carrier, asOf, recordedSince: startOf(recorded), listed, facts, summary };
}

const NOT_MADE =
  "The connections of businesses are being found for the first time. Try again in a few minutes.";

/** When the first of the categories that links come from was recorded. */
const startOf = ({ contact, address }: Awaited<ReturnType<typeof recordedSince>>): Date | undefined =>
  contact && address ? (contact < address ? contact : address) : (contact ?? address);

function countByKind(connections: readonly Connection[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { kind } of connections.flatMap(({ links }) => links)) counts[kind] = (counts[kind] ?? 0) + 1;
  return counts;
}

const connectionOut = ({ carrier, facts }: Connections, { business, links }: Connection): ConnectionOut => ({
  usdot: String(business.usdot),
  company: business.company,
  state: business.state,
  usdot_status: business.usdotStatus,
  links,
  facts: facts.get(business.usdot) ?? [],
  days_between: daysBetween(carrier, business),
});
