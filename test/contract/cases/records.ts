import type { ContractCase } from "./contract-cases.ts";
import { EVERYWHERE, PREPARED, SERVICE_ONLY, WITH_DATA } from "./targets.ts";

const operation = "readRecords";
const NEW = "us_new_authority_weekly";
const SMALL = "us_small_carriers_active";
const BROKERS = "us_brokers";

/** The members that the cases read; a feed decides which of them a record has. */
interface Row {
  state: string;
  power_units: number;
  authority_granted: string;
  last_verified: string;
  days_in_business: number | null;
  general_freight: boolean | null;
  has_cell: boolean;
  time_zone: string | null;
  phone_type: string | null;
  entity_type: string;
}
interface Page {
  data: Row[];
  page: number;
  page_size: number;
  has_more: boolean;
  meta: { feed: string; scope: { regions: string[] | null } };
}
type Holds = (row: Row) => boolean;

const read = (feed: string, query: string, title: string, how: Partial<ContractCase> = {}): ContractCase => ({
  operation,
  feed,
  title: `${feed}, ${title}`,
  path: `/v1/feeds/${feed}/records${query}`,
  status: 200,
  example: feed,
  targets: EVERYWHERE,
  ...how,
});

/** A page on which every record meets a condition. */
const page = (feed: string, query: string, each: Holds = () => true): ContractCase =>
  read(feed, query, query || "all", {
    holds: ({ data, meta }: Page) => meta.feed === feed && data.every(each),
  });

const daysOf = (record: Row): number => record.days_in_business ?? Number.NaN;
const isIn =
  (states: string[]): Holds =>
  (record) =>
    states.includes(record.state);

const pages: ContractCase[] = [
  page(NEW, ""),
  page(SMALL, ""),
  page(BROKERS, ""),
  page(NEW, "?state=TX", isIn(["TX"])),
  page(NEW, "?state=TX,CA", isIn(["TX", "CA"])),
  page(NEW, "?state=TX%2CCA", isIn(["TX", "CA"])),
  page(NEW, "?state=TX&state=CA", isIn(["TX", "CA"])),
  page(NEW, "?state=tx,%20Ca", isIn(["TX", "CA"])),
  page(SMALL, "?trucks_min=2&trucks_max=5", ({ power_units: units }) => units >= 2 && units <= 5),
  page(NEW, "?trucks_min=0", ({ power_units: units }) => units >= 0),
  page(BROKERS, "?granted_since=2020-01-01", ({ authority_granted: granted }) => granted >= "2020-01-01"),
  page(
    NEW,
    "?min_days_in_business=1&max_days_in_business=20",
    (record) => daysOf(record) >= 1 && daysOf(record) <= 20,
  ),
  page(NEW, "?general_freight=true", (record) => record.general_freight === true),
  page(NEW, "?general_freight=false", (record) => record.general_freight === false),
  page(NEW, "?has_cell=true", (record) => record.has_cell === true),
  page(BROKERS, "?has_cell=false", (record) => record.has_cell === false),
  page(NEW, "?time_zone=Central", (record) => record.time_zone !== null),
  page(NEW, "?time_zone=America/Chicago", (record) => record.time_zone === "America/Chicago"),
  page(SMALL, "?phone_type=either", (record) => record.phone_type === "either"),
  page(SMALL, "?phone_type=mobile", (record) => record.phone_type === "mobile"),
  page(BROKERS, "?entity_type=broker", (record) => record.entity_type === "broker"),
  page(
    BROKERS,
    "?entity_type=freight_forwarder&state=TX",
    (record) => record.entity_type === "freight_forwarder",
  ),
  page(
    NEW,
    "?since=2020-01-01",
    (r) => r.authority_granted >= "2020-01-01" || r.last_verified >= "2020-01-01",
  ),
];

export const recordsCases: ContractCase[] = [
  ...pages,
  read(NEW, "?page=1&page_size=1", "a page of one record", {
    holds: ({ data, page, page_size }: Page) => data.length <= 1 && page === 1 && page_size === 1,
  }),
  read(NEW, "?page_size=1000", "the largest page", { holds: ({ page_size }: Page) => page_size === 1000 }),
  read(NEW, "?page=2147483647", "a page beyond the end", {
    example: "beyond_the_end",
    holds: ({ data, has_more }: Page) => data.length === 0 && has_more === false,
  }),
  read(NEW, "?version={version}", "the version of an earlier page"),
  read(NEW, "?page_size=2", "unchanged since its ETag", { isRepeatedWithEtag: true, status: 304 }),
  {
    ...read(NEW, "", "an ETag of something else", { headers: { "If-None-Match": '"0-0"' } }),
    example: NEW,
  },
  {
    ...read(BROKERS, "?state=CA", "a state outside the plan's regions", {
      sender: "plan_of_brokers_in_texas",
    }),
    example: "beyond_the_end",
    targets: PREPARED,
    holds: ({ data, meta }: Page) => data.length === 0 && meta.scope.regions?.length === 0,
  },
  {
    ...read(BROKERS, "", "only the plan's regions", {
      sender: "plan_of_brokers_in_texas",
      targets: PREPARED,
    }),
    holds: ({ data, meta }: Page) => data.every(isIn(["TX"])) && meta.scope.regions?.join() === "TX",
  },
  ...["page=0", "page=-1", "page=abc", "page=1.5", "page_size=0", "page_size=1001", "page_size=ten"].map(
    (query) => misfit(query, EVERYWHERE),
  ),
  ...["since=2026-02-30", "since=yesterday", "since=20261114", "version=0", "version=newest"].map((query) =>
    misfit(query, EVERYWHERE),
  ),
  // Texts that some parsers read as numbers, but the contract does not.
  ...["page=1e3", "page=0x10", "page=%2B5", "page=%205", "page=", "page=2147483648", "page=%D9%A3"].map(
    (query) => misfit(query, WITH_DATA),
  ),
  ...["page=1&page=2", "since=", "version=4294967296"].map((query) => misfit(query, WITH_DATA)),
  misfit("fields=phone,city,phone", EVERYWHERE),
  // An answer with some columns alone is in test/service/api/feeds/fields.test.ts: the schemas are those of whole records.
  refused(BROKERS, "a column that the feed does not have", 400, "invalid_filter", {
    path: `/v1/feeds/${BROKERS}/records?fields=shoe_size`,
    targets: WITH_DATA,
  }),
  {
    ...misfit("page_size=1001&since=soon", EVERYWHERE),
    faults: ["query page_size", "query since"],
  },
  refused("us_no_such_feed", "a feed that does not exist", 403, "not_entitled", { targets: EVERYWHERE }),
  refused(NEW, "a feed the plan lacks", 403, "not_entitled", { sender: "plan_of_brokers_in_texas" }),
  refused("us_revocation_pending", "a feed that is not published", 403, "feed_not_live", {
    targets: EVERYWHERE,
    unpublishedFeed: "us_revocation_pending",
  }),
  refused("us_insurance_lapse_alerts", "a feed whose data is too old", 503, "stale_source"),
  refused("us_no_such_feed", "entitlement is checked before filters", 403, "not_entitled", {
    path: "/v1/feeds/us_no_such_feed/records?state=ZZ",
    targets: SERVICE_ONLY,
  }),
];

function misfit(query: string, targets: ContractCase["targets"]): ContractCase {
  return {
    operation,
    title: `?${query}`,
    path: `/v1/feeds/${NEW}/records?${query}`,
    status: 422,
    faults: [`query ${query.split("=")[0]}`],
    isValidatedByMock: true,
    targets,
  };
}

function refused(
  feed: string,
  title: string,
  status: number,
  code: string,
  how: Partial<ContractCase> = {},
): ContractCase {
  return { operation, title, path: `/v1/feeds/${feed}/records`, status, code, targets: PREPARED, ...how };
}
