import type { ContractCase } from "./contract-cases.ts";
import { EVERYWHERE, PREPARED, WITH_DATA } from "./targets.ts";

const operation = "exportFeed";
const NEW = "us_new_authority_weekly";
const SMALL = "us_small_carriers_active";
const BROKERS = "us_brokers";

const at = (feed: string, query = "") => `/v1/feeds/${feed}/export.csv${query}`;

const csv = (feed: string, query: string, how: Partial<ContractCase> = {}): ContractCase => ({
  operation,
  feed,
  title: `${feed}, ${query || "all"}`,
  path: at(feed, query),
  status: 200,
  targets: EVERYWHERE,
  ...how,
});

const misfit = (query: string, targets: ContractCase["targets"]): ContractCase => ({
  operation,
  title: `?${query}`,
  path: at(NEW, `?${query}`),
  status: 422,
  faults: [`query ${query.split("=")[0]}`],
  isValidatedByMock: true,
  targets,
});

const refused = (feed: string, title: string, status: number, code: string): ContractCase => ({
  operation,
  title,
  path: at(feed),
  status,
  code,
  targets: PREPARED,
});

const csvCases: ContractCase[] = [
  csv(NEW, "", { example: NEW }),
  csv(BROKERS, "", { example: BROKERS }),
  csv(SMALL, "", { targets: WITH_DATA }),
  csv(NEW, "?state=TX,CA&trucks_min=1&trucks_max=20", { example: NEW }),
  csv(NEW, "?state=TX&state=CA&has_cell=true", { example: NEW }),
  csv(BROKERS, "?entity_type=broker&granted_since=2020-01-01", { example: BROKERS }),
  csv(NEW, "?since=2020-01-01&general_freight=true&time_zone=Eastern", { example: NEW }),
  csv(NEW, "?state=AS&trucks_min=1000000", { title: "no row: the header line alone", targets: WITH_DATA }),
  csv(NEW, "?version={version}", { example: NEW }),
  csv(NEW, "", { title: "unchanged since its ETag", isRepeatedWithEtag: true, status: 304 }),
  csv(BROKERS, "", { title: "the plan's regions", sender: "plan_of_brokers_in_texas", targets: ["service"] }),
  ...["since=2026-02-30", "since=yesterday", "version=0", "version=x"].map((query) =>
    misfit(query, EVERYWHERE),
  ),
  ...["since=2026-1-1", "since=2026-01-01&since=2026-01-02"].map((query) => misfit(query, WITH_DATA)),
  { ...refused("us_no_such_feed", "a feed that does not exist", 403, "not_entitled"), targets: EVERYWHERE },
  { ...refused(NEW, "a feed the plan lacks", 403, "not_entitled"), sender: "plan_of_brokers_in_texas" },
  {
    ...refused("us_revocation_pending", "a feed that is not published", 403, "feed_not_live"),
    targets: EVERYWHERE,
    unpublishedFeed: "us_revocation_pending",
  },
  refused("us_insurance_lapse_alerts", "a feed whose data is too old", 503, "stale_source"),
];

/** The cases that every format has: they differ in nothing but its name. */
const casesOf = (name: string, format: string, example: Partial<ContractCase>): ContractCase[] => {
  const path = (feed: string, query = "") => `/v1/feeds/${feed}/export.${format}${query}`;
  const one = (title: string, how: Partial<ContractCase>): ContractCase => ({
    operation: name,
    feed: BROKERS,
    title,
    path: path(BROKERS),
    status: 200,
    targets: EVERYWHERE,
    ...how,
  });
  return [
    one("a part", { headers: { Range: "bytes=0-9" }, status: 206 }),
    one("another file than before", { headers: { "If-Match": '"0"' }, status: 412, code: "export_changed" }),
    one("a range behind the end", {
      headers: { Range: "bytes=999999999999-" },
      status: 416,
      code: "range_not_satisfiable",
    }),
    ...(format === "csv"
      ? []
      : [
          one("all", example),
          one("filters", { ...example, path: path(BROKERS, "?entity_type=broker&granted_since=2020-01-01") }),
          one("unchanged since its ETag", { isRepeatedWithEtag: true, status: 304 }),
          one("a filter that the feed does not have", {
            path: path(BROKERS, "?trucks_min=1"),
            status: 400,
            code: "invalid_filter",
          }),
          one("?version=0", {
            path: path(BROKERS, "?version=0"),
            status: 422,
            faults: ["query version"],
            isValidatedByMock: true,
          }),
          one("a feed the plan lacks", {
            path: path(NEW),
            sender: "plan_of_brokers_in_texas",
            status: 403,
            code: "not_entitled",
            targets: PREPARED,
          }),
          one("a feed whose data is too old", {
            path: path("us_insurance_lapse_alerts"),
            status: 503,
            code: "stale_source",
            targets: PREPARED,
          }),
        ]),
  ];
};

export const exportCases: ContractCase[] = [
  ...csvCases,
  ...casesOf("exportFeed", "csv", {}),
  ...casesOf("exportFeedAsNdjson", "ndjson", { example: BROKERS }),
  ...casesOf("exportFeedAsParquet", "parquet", {}),
];
