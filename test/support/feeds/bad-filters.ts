import type { FilterName } from "../../../src/feeds/catalogue.ts";

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
export const BAD_FILTERS: Readonly<Record<FilterName, readonly string[]>> = {
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
