// The versions of a feed, what changed between two of them, and the number of records.

import type { ContractCase } from "./contract-cases.ts";
import { EVERYWHERE, PREPARED, SERVICE_ONLY, WITH_DATA } from "./targets.ts";

const NEW = "us_new_authority_weekly";
const BROKERS = "us_brokers";

/** An operation: the end of its path, and the query that it needs. */
interface Operation {
  operation: string;
  end: string;
  query: string;
}
const VERSIONS: Operation = { operation: "listFeedVersions", end: "versions", query: "" };
const CHANGES: Operation = {
  operation: "readFeedChanges",
  end: "changes",
  query: "since_version={version}&since_removals={removals}",
};
const COUNT: Operation = { operation: "countRecords", end: "count", query: "" };

function at(
  { operation, end, query }: Operation,
  feed: string,
  more = "",
): Pick<ContractCase, "operation" | "path"> {
  const whole = [query, more].filter((part) => part !== "").join("&");
  return { operation, path: `/v1/feeds/${feed}/${end}${whole && `?${whole}`}` };
}

const reads = (
  operation: Operation,
  query: string,
  example: string,
  holds: (body: never) => boolean,
  feed = NEW,
): ContractCase => ({
  ...at(operation, feed, query),
  feed,
  title: `${feed}, ${query || "all"}`,
  status: 200,
  example,
  holds,
  targets: EVERYWHERE,
});

const misfit = (
  operation: Operation,
  query: string,
  targets: ContractCase["targets"] = EVERYWHERE,
): ContractCase => ({
  ...at({ ...operation, query: query.includes("since_version") ? "" : operation.query }, NEW, query),
  feed: NEW,
  title: `?${query}`,
  status: 422,
  faults: [`query ${query.split("=")[0]}`],
  isValidatedByMock: true,
  targets,
});

/** A query that the contract's types allow and its rules do not. */
const unfit = (operation: Operation, query: string): ContractCase => ({
  ...at(operation, NEW, query),
  title: `?${query}`,
  feed: NEW,
  status: 400,
  code: "invalid_filter",
  holds: ({ detail }: { detail: string }) => detail.includes(query.split("=")[0] ?? ""),
  targets: WITH_DATA,
});

const refused = (
  operation: Operation,
  feed: string,
  title: string,
  status: number,
  code: string,
  how: Partial<ContractCase> = {},
): ContractCase => ({
  ...at({ ...operation, query: operation.query.replace("{version}", "1") }, feed),
  title,
  status,
  code,
  targets: PREPARED,
  ...how,
});

/** What each operation answers for a feed that the caller can't read. */
const refusals = (operation: Operation): ContractCase[] => [
  refused(operation, "us_no_such_feed", "a feed that does not exist", 403, "not_entitled", {
    targets: EVERYWHERE,
  }),
  refused(operation, NEW, "a feed the plan lacks", 403, "not_entitled", {
    sender: "plan_of_brokers_in_texas",
  }),
  refused(operation, "us_revocation_pending", "a feed that is not published", 403, "feed_not_live", {
    targets: EVERYWHERE,
    unpublishedFeed: "us_revocation_pending",
  }),
];

const stale = (operation: Operation): ContractCase =>
  refused(operation, "us_insurance_lapse_alerts", "a feed whose data is too old", 503, "stale_source");

interface Checkpoint {
  version: number;
  rows: number;
  digest: string;
}
interface Versions {
  data: { version: number; rows: number; checkpoint: Checkpoint }[];
  meta: { current_version: number };
}
interface Changes {
  data: unknown[];
  next_cursor: string | null;
  meta: { since_version: number; to_version: number };
}
interface Count {
  rows: number;
  by: { value: string | null; rows: number }[] | null;
  meta: { checkpoint: Checkpoint | null };
}

const isNewestFirst = ({ data, meta }: Versions): boolean =>
  data[0]?.version === meta.current_version &&
  data.every(({ version, rows, checkpoint }) => checkpoint.version === version && checkpoint.rows === rows);
const isEmpty = ({ data, next_cursor, meta }: Changes): boolean =>
  data.length === 0 && next_cursor === null && meta.since_version === meta.to_version;
const isCounted = ({ rows, by, meta }: Count): boolean =>
  meta.checkpoint?.rows === rows && (by === null || by.reduce((sum, each) => sum + each.rows, 0) === rows);

const FILTERS = "state=TX,CA&trucks_min=1&granted_since=2020-01-01&has_cell=true";

export const syncCases: ContractCase[] = [
  reads(VERSIONS, "", "versions", isNewestFirst),
  reads(VERSIONS, "limit=1", "versions", isNewestFirst, BROKERS),
  ...refusals(VERSIONS),
  ...["limit=0", "limit=1001", "limit=many"].map((query) => misfit(VERSIONS, query)),
  ...["cursor=", "cursor=nonsense"].map((query) => misfit(VERSIONS, query, WITH_DATA)),

  reads(CHANGES, "", "nothing_new", isEmpty),
  reads(CHANGES, `to_version={version}&op=added&limit=1000&${FILTERS}`, "nothing_new", isEmpty),
  reads(CHANGES, "entity_type=broker", "nothing_new", isEmpty, BROKERS),
  ...refusals(CHANGES),
  stale(CHANGES),
  {
    ...refused(CHANGES, NEW, "a version that never was", 410, "version_expired"),
    path: `/v1/feeds/${NEW}/changes?since_version=2147483647`,
    targets: EVERYWHERE,
  },
  {
    ...refused(CHANGES, NEW, "a version to reach that never was", 410, "version_expired", { feed: NEW }),
    path: `/v1/feeds/${NEW}/changes?since_version={version}&to_version=2147483647`,
    targets: EVERYWHERE,
  },
  ...["since_version=0", "since_version=newest"].map((query) => misfit(CHANGES, query)),
  ...["op=moved", "limit=0", "to_version=0", "since_removals=-1"].map((query) => misfit(CHANGES, query)),
  ...["cursor=", "cursor=nonsense"].map((query) => misfit(CHANGES, query, WITH_DATA)),
  ...["state=ZZ", "trucks_min=5&trucks_max=4", "entity_type=broker", "page=2"].map((query) =>
    unfit(CHANGES, query),
  ),
  {
    ...misfit(CHANGES, "since_version=1&limit=1", SERVICE_ONLY),
    title: "neither since_version nor cursor",
    path: `/v1/feeds/${NEW}/changes?limit=1`,
  },

  reads(COUNT, "", "by_state", isCounted),
  reads(COUNT, `by=state&since=2020-01-01&version={version}&${FILTERS}`, "by_state", isCounted),
  reads(COUNT, "by=entity_type", "by_state", isCounted, BROKERS),
  ...refusals(COUNT),
  stale(COUNT),
  ...["since=soon", "version=0"].map((query) => misfit(COUNT, query)),
  misfit(COUNT, "by=", WITH_DATA),
  ...["by=company", "by=nothing", "trucks_min=5&trucks_max=4", "page=2"].map((query) => unfit(COUNT, query)),
];
