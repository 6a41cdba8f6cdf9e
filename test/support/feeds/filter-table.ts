// The specification's filter table, and for each filter its matches and its refused values: the only list of them in the
// tests. Pages of JSON try all of it; other answers show by USUAL_BY_FEED that the same parser and selection serve them.
import { FEEDS, type FeedCode, FILTERS, type FilterName } from "../../../src/feeds/catalogue.ts";
import { addDays } from "../../../src/platform/clock.ts";
import { SPECIFIED_FILTERS } from "../specification.ts";
import { AS_OF, recordsOf } from "./every-record.ts";
import type { FeedRecord } from "./published-feed.ts";

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

/** Whether a record belongs to the answer. */
type Holds = (record: FeedRecord) => boolean;

export interface GoodCase {
  filter: FilterName;
  /** As written in the address. */
  query: string;
  holds: Holds;
  /** Matches no record, every record, or every record that has a value; all other cases match some of them. */
  finds?: "none" | "all" | "valued";
}

const isIn = (name: string, words: readonly string[]): Holds => {
  return (record) => words.includes(String(record[name]));
};
const number = (value: FeedRecord[string] | undefined): number =>
  value == null ? Number.NaN : Number(value);

const state = (query: string, states: string[], finds?: GoodCase["finds"]): GoodCase => ({
  filter: "state",
  query,
  holds: isIn("state", states),
  ...(finds && { finds }),
});
const trucksMin = (units: number, finds?: GoodCase["finds"]): GoodCase => ({
  filter: "trucks_min",
  query: `trucks_min=${units}`,
  ...(finds && { finds }),
  holds: ({ power_units: value }) => number(value) >= units,
});
const trucksMax = (units: number, query = `trucks_max=${units}`): GoodCase => ({
  filter: "trucks_max",
  query,
  holds: ({ power_units: value }) => number(value) <= units,
});
const granted = (day: string, finds?: GoodCase["finds"]): GoodCase => ({
  filter: "granted_since",
  query: `granted_since=${day}`,
  ...(finds && { finds }),
  holds: ({ authority_granted: value }) => value != null && String(value) >= day,
});
const minDays = (days: number, finds?: GoodCase["finds"]): GoodCase => ({
  filter: "min_days_in_business",
  query: `min_days_in_business=${days}`,
  ...(finds && { finds }),
  holds: ({ days_in_business: value }) => number(value) >= days,
});
const maxDays = (days: number): GoodCase => ({
  filter: "max_days_in_business",
  query: `max_days_in_business=${days}`,
  holds: ({ days_in_business: value }) => number(value) <= days,
});
const word = (filter: FilterName, column: string, sent: string, words: string[] = [sent]): GoodCase => ({
  filter,
  query: `${filter}=${encodeURIComponent(sent)}`,
  holds: isIn(column, words),
});
const zone = (sent: string, zones: string[] = [sent]): GoodCase =>
  word("time_zone", "time_zone", sent, zones);

const cargo = (query: string, words: string[]): GoodCase => ({
  filter: "cargo",
  query,
  holds: ({ cargo: hauled }) => Array.isArray(hauled) && words.some((word) => hauled.includes(word)),
});
const insurer = (sent: string, part: string): GoodCase => ({
  filter: "insurer",
  query: `insurer=${encodeURIComponent(sent)}`,
  holds: ({ insurer: name }) => name !== null && String(name).toUpperCase().includes(part),
});
const insurers = (query: string, names: string[]): GoodCase => ({
  filter: "insurer_is",
  query,
  holds: isIn("insurer", names),
});
const cancelled = (day: string, finds?: GoodCase["finds"]): GoodCase => ({
  filter: "cancellation_before",
  query: `cancellation_before=${day}`,
  ...(finds && { finds }),
  holds: ({ cancellation_pending: value }) => value != null && String(value) < day,
});
const ofEveryValue = (one: GoodCase): GoodCase => ({ ...one, finds: "valued" });
const excluded = (sent: string): GoodCase => ({
  filter: "exclude_individuals",
  query: `exclude_individuals=${sent}`,
  holds: ({ is_individual: isIndividual }) => isIndividual === false,
});
const notExcluded = (sent: string): GoodCase => ({
  filter: "exclude_individuals",
  query: `exclude_individuals=${sent}`,
  holds: () => true,
  finds: "all",
});

const truths = (name: FilterName): GoodCase[] => [
  ...["true", "TRUE", "True", "1"].map((sent) => word(name, name, sent, ["true"])),
  ...["false", "False", "FALSE", "0"].map((sent) => word(name, name, sent, ["false"])),
];

/** Values of each filter: usual ones, those at its limits, and every word that it knows. */
const GOOD_FILTERS: readonly GoodCase[] = [
  state("state=TX", ["TX"]),
  state("state=tx,%20Ca", ["TX", "CA"]),
  state("state=TX&state=OK,GU", ["TX", "OK", "GU"]),
  state("state=TX,TX", ["TX"]),
  state("state=WY", ["WY"], "none"),
  state(`state=${Array(100).fill("GU").join(",")}`, ["GU"]),
  ofEveryValue(trucksMin(0)),
  trucksMin(1),
  trucksMin(5),
  trucksMin(21),
  trucksMin(22, "none"),
  trucksMin(2_147_483_647, "none"),
  trucksMax(0),
  trucksMax(4),
  trucksMax(20),
  ofEveryValue(trucksMax(2_147_483_647)),
  trucksMax(5, "trucks_max=0005"),
  granted(AS_OF),
  granted("2026-11-10"),
  ofEveryValue(granted(addDays(AS_OF, -18_800))),
  ofEveryValue(granted("0001-01-01")),
  granted("2026-11-21", "none"),
  granted("9999-12-31", "none"),
  granted("2024-02-29"),
  ofEveryValue(minDays(0)),
  minDays(1),
  minDays(365),
  minDays(18_800),
  minDays(18_801, "none"),
  minDays(2_147_483_647, "none"),
  maxDays(0),
  maxDays(10),
  maxDays(365),
  maxDays(18_799),
  ofEveryValue(maxDays(2_147_483_647)),
  ...["general_freight", "has_cell", "hazmat", "out_of_service"].flatMap((name) =>
    truths(name as FilterName),
  ),
  zone("Eastern", ["America/New_York"]),
  zone("Central", ["America/Chicago"]),
  zone("mountain", ["America/Denver", "America/Phoenix"]),
  zone("PACIFIC", ["America/Los_Angeles"]),
  zone("Alaska", ["America/Anchorage"]),
  zone("Hawaii", ["Pacific/Honolulu", "America/Adak"]),
  ...["America/Phoenix", "America/Adak", "America/Puerto_Rico", "Pacific/Guam"].map((name) => zone(name)),
  ...["mobile", "landline", "either"].map((sent) => word("phone_type", "phone_type", sent)),
  ...["broker", "freight_forwarder"].map((sent) => word("entity_type", "entity_type", sent)),
  cargo("cargo=general_freight", ["general_freight"]),
  cargo("cargo=other", ["other"]),
  cargo("cargo=PRODUCE,%20Meat", ["produce", "meat"]),
  cargo("cargo=livestock&cargo=meat,meat", ["livestock", "meat"]),
  { ...cargo("cargo=water_well", ["water_well"]), finds: "none" },
  insurer("EXAMPLE", "EXAMPLE"),
  insurer("mutual ins", "MUTUAL INS"),
  insurer("  Mutual   Ins ", "MUTUAL INS"),
  insurer("& S", "& S"),
  { ...insurer("%%", "%%"), finds: "none" },
  insurers("insurer_is=EXAMPLE%20CASUALTY", ["EXAMPLE CASUALTY"]),
  insurers("insurer_is=example%20%20casualty,%20SAMPLE%20%26%20SONS%20INS.%20CO.", [
    "EXAMPLE CASUALTY",
    "Sample & Sons Ins. Co.",
  ]),
  insurers("insurer_is=Lloyds,%20London", ["LLOYDS, LONDON"]),
  insurers("insurer_is=OTHER,LLOYDS,LONDON&insurer_is=EXAMPLE%20CASUALTY", [
    "LLOYDS, LONDON",
    "EXAMPLE CASUALTY",
  ]),
  ...["EXAMPLE", "LONDON,LLOYDS", Array(50).fill("X").join(",")].map(
    (sent): GoodCase => ({ ...insurers(`insurer_is=${sent}`, []), finds: "none" }),
  ),
  cancelled("2026-11-21", "none"),
  cancelled("2026-11-22"),
  cancelled("2026-12-20"),
  cancelled("2026-12-21"),
  cancelled("9999-12-31"),
  cancelled("0001-01-01", "none"),
  ...["true", "TRUE", "1"].map(excluded),
  ...["false", "False", "0"].map(notExcluded),
];

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

const wholeNumbers = [
  "",
  "-1",
  "+1",
  "%2B1",
  "1.5",
  "1e3",
  "0x10",
  "many",
  "2147483648",
  "99999999999999999999",
];
const numberCases = (name: string): string[] => [
  ...[...wholeNumbers, "%201", "%D9%A3", "1%00", "1,2"].map((value) => `${name}=${value}`),
  `${name}=1&${name}=1`,
];
const wordCases = (name: string, words: string[], values: string[]): string[] => [
  ...["", "%00", "null", ...values].map((value) => `${name}=${value}`),
  `${name}=${words[0]}&${name}=${words[0]}`,
  `${name}=${words.join(",")}`,
];

const NO_DATES = [
  "",
  "2026-02-30",
  "2026-02-29",
  "2026-13-01",
  "2026-1-1",
  "20261120",
  "14.11.2026",
  "yesterday",
  "2026-11-20T00:00:00Z",
  "2026-11-20%00",
  "02026-11-20",
  "-2026-11-20",
  "2026-11-20,2026-11-19",
];
const dateCases = (name: string): string[] => [
  ...NO_DATES.map((value) => `${name}=${value}`),
  `${name}=2026-11-20&${name}=2026-11-20`,
];

/** Values that no feed accepts. The detail of the answer names the filter. */
const BAD_FILTERS: Readonly<Record<FilterName, readonly string[]>> = {
  state: [
    "",
    "TX,",
    ",TX",
    "TX,,CA",
    "ZZ",
    "TX,ZZ",
    "Texas",
    "T",
    "T1",
    "TX;CA",
    "TX%00",
    "%D0%A2%D0%A5",
    "ON",
    Array(101).fill("TX").join(","),
  ].map((value) => `state=${value}`),
  trucks_min: [...numberCases("trucks_min"), "trucks_min=6&trucks_max=5"],
  trucks_max: numberCases("trucks_max"),
  granted_since: dateCases("granted_since"),
  min_days_in_business: [
    ...numberCases("min_days_in_business"),
    "min_days_in_business=11&max_days_in_business=10",
  ],
  max_days_in_business: numberCases("max_days_in_business"),
  general_freight: wordCases("general_freight", ["true", "false"], ["yes", "on", "2", "01", "%20true"]),
  has_cell: wordCases("has_cell", ["true", "false"], ["no", "t", "-1", "on"]),
  out_of_service: wordCases("out_of_service", ["true", "false"], ["yes", "ACTIVE", "2", "%20false"]),
  time_zone: wordCases(
    "time_zone",
    ["Eastern", "Central"],
    ["Europe/Berlin", "EST", "GMT", "UTC", "America", "x".repeat(65)],
  ),
  phone_type: wordCases("phone_type", ["mobile", "either"], ["Mobile", "fax", "cell"]),
  entity_type: wordCases("entity_type", ["broker", "freight_forwarder"], ["Broker", "carrier", "freight"]),
  cargo: [
    ...[
      "",
      "produce,",
      ",produce",
      "freight",
      "general freight",
      "CRGO_PRODUCE",
      "X",
      "null",
      "produce;meat",
    ],
    Array(101).fill("produce").join(","),
  ].map((value) => `cargo=${value}`),
  insurer: [
    ...["", "A", "%20", "%20A%20", "%00%00", "x".repeat(121)].map((value) => `insurer=${value}`),
    "insurer=AB&insurer=CD",
  ],
  insurer_is: [
    "",
    "%20",
    "EXAMPLE,",
    ",EXAMPLE",
    "%00%00",
    "x".repeat(121),
    Array(51).fill("X").join(","),
  ].map((value) => `insurer_is=${value}`),
  cancellation_before: dateCases("cancellation_before"),
  hazmat: wordCases("hazmat", ["true", "false"], ["Y", "N", "yes", "2"]),
  exclude_individuals: wordCases("exclude_individuals", ["true", "false"], ["yes", "all", "2"]),
};

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
