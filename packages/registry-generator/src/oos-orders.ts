import type { Company } from "./companies/company.ts";
import { isoDay } from "./histories/dates.ts";
import type { World } from "./histories/world.ts";
import { createRandom, type Random } from "./random.ts";

/** The 7 columns of the file of out-of-service orders. */
export const OOS_ORDER_COLUMNS: readonly string[] =
  "DOT_NUMBER LEGAL_NAME DBA_NAME OOS_DATE OOS_REASON STATUS RESCIND_DATE".split(" ");

/** No share of the reasons is published; most orders end a new entrant that did not answer the audit. */
const REASONS: ReadonlyArray<readonly [reason: string, upTo: number]> = [
  ["New Entrant Revoked - Refusal of Audit/No Contact", 0.8],
  ["New Entrant Revoked - Failure of Safety Audit", 0.88],
  ["Unsatisfactory = Unfit", 0.94],
  ["90-Day Failure to Pay Fine", 0.98],
  ["Imminent Hazard", 1],
];
/** Orders of the real file by companies of the census: 396,000 of 4.5 million. */
const SHARE_WITHOUT_AUTHORITY = 0.1;
const SHARE_WITH_AUTHORITY = 0.025;
/** Days around the first day for which one company that lost its authority has an order each. */
const [DAYS_BEFORE, DAYS_AFTER] = [60, 60];
/** From then on the first company that registered so long ago gets an order each day. */
const NEW_ENTRANT_DAYS = 45;

interface Order {
  ordered: number;
  rescinded: number | null;
}

/** The company's orders that were issued by `day`, with the repeated rows and the flaws that the file has. */
export function oosOrderRows(world: World, company: Company, day: number): string[][] {
  const random = createRandom(world.seed, company.life.index, 30);
  const rows = ordersOf(world, company, random)
    .filter(({ ordered }) => ordered <= day)
    .map(({ ordered, rescinded }) => orderRow(world, company, random, { ordered, rescinded }, day));
  return random.chance(world.shares.oddity(0.01, 0.1)) ? [...rows, ...rows] : rows;
}

function ordersOf(world: World, { life, dockets }: Company, random: Random): Order[] {
  const { shares, firstDay, carriers } = world;
  const holds = life.plot !== "lapsed" && life.plot !== "never" && dockets.length > 0;
  const share = holds ? SHARE_WITH_AUTHORITY : SHARE_WITHOUT_AUTHORITY;
  const [isOrdered, isTwice] = [random.chance(share), random.chance(0.1)];
  const later = (ordered: number): Order => ({
    ordered,
    rescinded: random.chance(0.35) ? ordered + random.between(3, 200) : null,
  });
  const orders: Order[] = [];
  const rank = Math.floor(life.fraction * shares.companiesOf("lapsed"));
  if (life.plot === "lapsed" && rank < DAYS_BEFORE + DAYS_AFTER)
    orders.push({ ordered: firstDay - DAYS_BEFORE + rank, rescinded: null });
  if (life.index >= carriers && (life.index - carriers) % shares.registrationsPerDay === 0)
    orders.push({ ordered: life.registeredDay + NEW_ENTRANT_DAYS, rescinded: null });
  if (isOrdered) orders.push(later(firstDay + 12 - random.between(0, holds ? 600 : 4000)));
  if (isOrdered && isTwice) orders.push(later(firstDay - random.between(0, 4000)));
  return orders;
}

function orderRow(world: World, company: Company, random: Random, order: Order, day: number): string[] {
  const odd = world.shares.oddity(0.0005, 0.1) / 4;
  // In a small file more rows without a number would be too many for an import.
  const withoutNumber = odd / 4;
  const [draw, flaw] = [random.next(), random.next()];
  const reason = REASONS.find(([, upTo]) => draw < upTo)?.[0] ?? "";
  const ordered = isoDay(order.ordered);
  const rescinded = order.rescinded !== null && order.rescinded <= day ? isoDay(order.rescinded) : "";
  return [
    flaw < withoutNumber ? "0" : String(company.dotNumber),
    company.legalName,
    company.dbaName,
    flaw >= odd && flaw < 2 * odd ? `0${ordered.slice(1)}` : ordered,
    flaw >= 2 * odd && flaw < 3 * odd ? "" : reason,
    // The status of the USDOT number: an order that is in force stands beside ACTIVE, too.
    company.statusCode === "A" ? "ACTIVE" : "INACTIVE",
    flaw >= 3 * odd && flaw < 4 * odd && rescinded !== "" ? "0000-00-00" : rescinded,
  ];
}
