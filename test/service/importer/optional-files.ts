import { datasetCsv } from "./stage/plain-rows.ts";

type Items = Record<string, string>[];

// More than a feed may change from one version to the next before an operator has to look.
export const COMPANIES = 60;
export const FEED = "us_small_carriers_active";
export const TODAY = "2026-10-01";
export const LATER = "2026-11-10";

/** USDOT numbers begin here: the lowest ones are of the registry itself. */
const FIRST = 101;
const dotOf = (index: number): string => String(FIRST + index);
export const inMotus = (fields: Record<string, string> = {}): Items =>
  Array.from({ length: COMPANIES - 1 }, (_, index) => ({
    DOCKET_NUMBER: `MC${dotOf(index)}`,
    USDOT_NUMBER: dotOf(index),
    ...fields,
  }));
export const inLegacy = (): Items =>
  Array.from({ length: COMPANIES }, (_, index) => ({
    DOCKET_NUMBER: `MC${dotOf(index)}`,
    DOT_NUMBER: dotOf(index),
  }));
export const ONLY_LEGACY = dotOf(COMPANIES - 1);

/** The files that every import needs, with news of a day. The last company is known from the legacy registry only. */
export function neededFiles(day: string): Record<string, string> {
  const compact = day.replaceAll("-", "");
  const census = inLegacy();
  // An agent of others that is a carrier itself.
  const agent = {
    LEGAL_NAME: "(all states) Process Agents, Inc.",
    PHY_STATE: "OK",
    EMAIL_ADDRESS: "desk@all-states.example",
  };
  const order = { DOCKET_NUMBER: "MC-900", USDOT_NUMBER: "900", ORDER1_EFFECTIVE_DATE: "20261230" };
  return {
    "census.csv": datasetCsv(
      "census",
      census.with(0, { ...census[0], ...agent }).with(1, { ...census[1], ADD_DATE: compact }),
    ),
    "motus_carrier.csv": datasetCsv("motus_carrier", inMotus({ BUS_CITY: `CITY ${day}` })),
    "motus_authhist.csv": datasetCsv(
      "motus_authhist",
      inMotus().map((row, index) => ({ ...row, STATUS_CHANGE_DATE: index === 0 ? compact : "20260901" })),
    ),
    "motus_revokesuspend.csv": datasetCsv("motus_revokesuspend", [{ ...order, ORDER1_SERVE_DATE: compact }]),
    "legacy_carrier.csv": datasetCsv("legacy_carrier", inLegacy()),
    "legacy_authhist.csv": datasetCsv("legacy_authhist", inLegacy()),
  };
}

/** Orders on the first companies. */
export const ORDERS: Items = [
  { DOT_NUMBER: "101" },
  // Rescinded, on the as-of day itself and later.
  { DOT_NUMBER: "102", RESCIND_DATE: "2026-09-29" },
  { DOT_NUMBER: "103", RESCIND_DATE: "2026-10-01" },
  { DOT_NUMBER: "104", RESCIND_DATE: "2026-11-01" },
  { DOT_NUMBER: "105", RESCIND_DATE: "soon" },
  { DOT_NUMBER: "106", OOS_REASON: "", STATUS: "INACTIVE" },
  { DOT_NUMBER: "107", OOS_REASON: "Decree 42", OOS_DATE: "2026-09-20" },
  { DOT_NUMBER: "108", OOS_DATE: "0189-09-20" },
  { DOT_NUMBER: "101", OOS_DATE: "2026-09-01", OOS_REASON: "Unsatisfactory = Unfit" },
  { DOT_NUMBER: "102", OOS_DATE: "2020-01-01", RESCIND_DATE: "2020-02-01" },
  // Not in force yet.
  { DOT_NUMBER: "109", OOS_DATE: "2026-12-01" },
];
