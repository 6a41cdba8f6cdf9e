// 400 invalid_filter, of every kind, on records and on exports.

import type { ContractCase, Target } from "./contract-cases.ts";
import { EVERYWHERE, SERVICE_ONLY, WITH_DATA } from "./targets.ts";

const NEW = "us_new_authority_weekly";
const SMALL = "us_small_carriers_active";
const INSURANCE = "us_insurance_lapse_alerts";
const BROKERS = "us_brokers";

/** Filters that the specification's table does not give to the feed, with values that are valid on other feeds. */
const NOT_ON_THE_FEED: [feed: string, query: string][] = [
  [BROKERS, "trucks_min=1"],
  [BROKERS, "trucks_max=20"],
  [BROKERS, "general_freight=true"],
  [BROKERS, "time_zone=Eastern"],
  [BROKERS, "phone_type=either"],
  [BROKERS, "cargo=produce"],
  [BROKERS, "hazmat=true"],
  [NEW, "phone_type=mobile"],
  [NEW, "entity_type=broker"],
  [SMALL, "general_freight=false"],
  [SMALL, "has_cell=true"],
  [SMALL, "time_zone=Central"],
  [SMALL, "entity_type=freight_forwarder"],
];
/** The same on a feed that deployments do not publish yet. Here its data is too old, which is checked later. */
const NOT_ON_INSURANCE = ["granted_since=2026-01-01", "min_days_in_business=1", "max_days_in_business=9"];

/** Values that the contract's types allow and its rules do not. */
const AGAINST_THE_RULES: [feed: string, query: string][] = [
  [NEW, "state=ZZ"],
  [NEW, "state=TX,ZZ"],
  [NEW, "time_zone=Europe/Berlin"],
  [NEW, "trucks_min=5&trucks_max=4"],
  [NEW, "min_days_in_business=5&max_days_in_business=4"],
  [NEW, "version=2147483647"],
  [NEW, "colour=red"],
  [NEW, "states=TX"],
  [NEW, "state[]=TX"],
];

/** Values the contract's types do not allow; a Prism mock answers these with 422. */
const OF_A_WRONG_TYPE: [feed: string, query: string][] = [
  [NEW, "state="],
  [NEW, "state=TX,"],
  [NEW, "state=Texas"],
  [NEW, "trucks_min=many"],
  [NEW, "trucks_min=-1"],
  [NEW, "trucks_min=1.5"],
  [NEW, "trucks_min=1e3"],
  [NEW, "trucks_min=99999999999"],
  [NEW, "trucks_min=1&trucks_min=2"],
  [NEW, "trucks_max="],
  [NEW, "granted_since=2026-02-30"],
  [NEW, "granted_since=14.11.2026"],
  [NEW, "min_days_in_business=-3"],
  [NEW, "max_days_in_business=soon"],
  [NEW, "general_freight=yes"],
  [NEW, "has_cell=2"],
  [NEW, "time_zone="],
  [NEW, "hazmat=Y"],
  [NEW, "exclude_individuals=yes"],
  [NEW, "cargo=freight"],
  [NEW, "insurer_is="],
  [SMALL, "phone_type=fax"],
  [BROKERS, "entity_type=carrier"],
  [BROKERS, "entity_type=broker,freight_forwarder"],
];

/** The parameter that the detail must name: the first of the query. */
const named = (query: string): string => query.split(/[=&]/)[0] ?? "";

const refusals = (targets: readonly Target[], rows: [feed: string, query: string][]): ContractCase[] =>
  rows.flatMap(([feed, query]) =>
    (["readRecords", "exportFeed"] as const)
      // A version is no filter of the specification's table, and one mistake of it is enough.
      .map((operation): ContractCase => {
        const path = `/v1/feeds/${feed}/${operation === "readRecords" ? "records" : "export.csv"}?${query}`;
        const holds = ({ detail }: { detail: string }) => detail.includes(named(query));
        const title = `${feed}, ${query}`;
        return { operation, path, title, holds, status: 400, code: "invalid_filter", targets };
      }),
  );

export const filterCases: ContractCase[] = [
  ...refusals(EVERYWHERE, NOT_ON_THE_FEED).map((one) => ({ ...one, feed: one.title.split(",")[0] ?? "" })),
  ...refusals(
    SERVICE_ONLY,
    NOT_ON_INSURANCE.map((query) => [INSURANCE, query]),
  ),
  ...refusals(EVERYWHERE, AGAINST_THE_RULES).map((one) => ({ ...one, feed: NEW })),
  ...refusals(WITH_DATA, OF_A_WRONG_TYPE).map((one) => ({ ...one, feed: one.title.split(",")[0] ?? "" })),
  // Pages are no parameters of an export, so they are unknown there.
  {
    operation: "exportFeed",
    title: "page, which an export does not have",
    status: 400,
    path: `/v1/feeds/${NEW}/export.csv?page=2`,
    feed: NEW,
    code: "invalid_filter",
    targets: EVERYWHERE,
  },
];
