// The specification's filter table, and for each filter its matches and its refused values: the only list of them in the
// tests. Pages of JSON try all of it; other answers show by USUAL_BY_FEED that the same parser and selection serve them.
import { FEEDS, type FeedCode, FILTERS, type FilterName } from "../../../src/feeds/catalogue.ts";
import { SPECIFIED_FILTERS } from "../specification.ts";
import { BAD_FILTERS } from "./bad-filters.ts";
import { recordsOf } from "./every-record.ts";
import {
  cargo,
  excluded,
  type GoodCase,
  granted,
  maxDays,
  minDays,
  state,
  trucksMax,
  trucksMin,
  word,
  zone,
} from "./filter-cases.ts";
import { GOOD_FILTERS } from "./good-filters.ts";

const [NEW, SMALL, PENDING, INSURANCE, BROKERS] = [
  "us_new_authority_weekly",
  "us_small_carriers_active",
  "us_revocation_pending",
  "us_insurance_lapse_alerts",
  "us_brokers",
] as const;

const CARRIERS = [NEW, SMALL, PENDING, INSURANCE];
const EVERY_FEED = [...CARRIERS, BROKERS];

/** Which filters apply to which feed: the specification's table, then what 1.1 added. */
export const FILTER_FEEDS: Readonly<Record<FilterName, readonly FeedCode[]>> = {
  ...(Object.fromEntries(SPECIFIED_FILTERS) as Record<FilterName, readonly FeedCode[]>),
  cargo: CARRIERS,
  hazmat: CARRIERS,
  exclude_individuals: EVERY_FEED,
  insurer: EVERY_FEED,
  insurer_is: EVERY_FEED,
  out_of_service: EVERY_FEED,
  cancellation_before: EVERY_FEED,
};

/** The cases of each filter that matches some records, and not all that have a value. */
export const casesOf = (filter: FilterName): readonly GoodCase[] =>
  GOOD_FILTERS.filter((one) => one.filter === filter && one.finds === undefined);

/** The case of them that most records match. */
function usualOf(filter: FilterName): GoodCase {
  if (FILTER_FEEDS[filter] === undefined) throw new Error(`FILTER_FEEDS has no ${filter}. Write its feeds.`);
  const [usual] = casesOf(filter).toSorted((a, b) => matchesOf(b) - matchesOf(a));
  if (usual === undefined)
    throw new Error(`GOOD_FILTERS has no case of ${filter} that matches some records. Write one.`);
  return usual;
}

/** How many records of every feed that has the filter match. */
const matchesOf = ({ filter, holds }: GoodCase): number =>
  recordsOf(FILTER_FEEDS[filter][0] as FeedCode).filter(holds).length;

/** Of each filter the case that most records match. */
export const USUAL: Readonly<Record<FilterName, GoodCase>> = Object.fromEntries(
  FILTERS.map(({ name }) => [name, usualOf(name)]),
) as Record<FilterName, GoodCase>;

/** A query as the API passes it on: each parameter with the list of its values. */
export const rawOf = (query: string): Map<string, string[]> => {
  const sent = new URLSearchParams(query);
  return new Map([...sent.keys()].map((name) => [name, sent.getAll(name)]));
};

/** Several filters at once: all must match. */
export const TOGETHER: readonly [feed: FeedCode, parts: readonly GoodCase[]][] = [
  [NEW, [state("state=TX,CA", ["TX", "CA"]), trucksMin(5), trucksMax(20), maxDays(365)]],
  [NEW, [zone("Mountain", ["America/Denver", "America/Phoenix"]), word("has_cell", "has_cell", "true")]],
  [SMALL, [trucksMin(5), trucksMax(5)]],
  [PENDING, [minDays(10), maxDays(10), word("phone_type", "phone_type", "landline")]],
  [INSURANCE, [trucksMax(4), word("phone_type", "phone_type", "either")]],
  [SMALL, [cargo("cargo=produce,meat", ["produce", "meat"]), excluded("true"), trucksMin(4)]],
  [BROKERS, [granted("2026-11-10"), minDays(1), word("entity_type", "entity_type", "broker")]],
];

/** Every feed with every good case that its filters allow. */
export const GOOD_BY_FEED: readonly [feed: FeedCode, query: string, one: GoodCase][] = GOOD_FILTERS.flatMap(
  (one) => FILTER_FEEDS[one.filter].map((feed): [FeedCode, string, GoodCase] => [feed, one.query, one]),
);

/** Every feed with the usual case of each filter that it allows. */
export const USUAL_BY_FEED: readonly [feed: FeedCode, query: string, one: GoodCase][] = FEEDS.flatMap(
  ({ code, allowedFilters }) =>
    allowedFilters.map((name): [FeedCode, string, GoodCase] => [code, USUAL[name].query, USUAL[name]]),
);

/** Every feed with every filter that it lacks, each with a value that is valid on other feeds. */
export const NOT_ON_FEED: readonly [feed: FeedCode, query: string][] = FEEDS.flatMap(({ code }) =>
  GOOD_FILTERS.filter(
    ({ filter }, index) =>
      !FILTER_FEEDS[filter].includes(code) &&
      GOOD_FILTERS.findIndex((one) => one.filter === filter) === index,
  ).map(({ query }): [FeedCode, string] => [code, query]),
);

/** Every feed with every bad value of a filter it allows. */
export const BAD_BY_FEED: readonly [feed: FeedCode, query: string][] = Object.entries(BAD_FILTERS).flatMap(
  ([filter, queries]) =>
    FILTER_FEEDS[filter as FilterName].flatMap((feed) =>
      queries.map((query): [FeedCode, string] => [feed, query]),
    ),
);

/** Refused queries of each feed: one by a filter that it lacks, one by a value that no feed accepts. */
export const REFUSED_BY_FEED: readonly [feed: FeedCode, query: string][] = FEEDS.flatMap(({ code }) =>
  [NOT_ON_FEED, BAD_BY_FEED].flatMap((list) => list.filter(([feed]) => feed === code).slice(0, 1)),
);

/** The first parameter of a query: the refusal must name it. */
export const firstName = (query: string): string => query.split("=")[0] ?? "";
