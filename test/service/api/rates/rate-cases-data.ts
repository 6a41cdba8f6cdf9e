// The answers of the operations on feeds, carriers and events, for rate-cases.ts.
import {
  bodyCasesOf,
  casesOf,
  FRESH,
  FRESH_DOCKET,
  FRESH_DOT,
  NOT_IN_PLAN,
  NOT_LIVE,
  type OperationId,
  postedCasesOf,
  type RateCase,
  STALE,
  STALE_DOCKET,
  STALE_DOT,
} from "./rate-cases.ts";

const quotaExceeded = (operation: OperationId, path: string): RateCase => ({
  operation,
  path,
  answer: "quota_exceeded",
  plan: { rowsPerMonth: 0 },
  waitSeconds: 820_785,
});

const refusedFeeds = (operation: OperationId, end: string): RateCase[] => [
  { operation, path: `/v1/feeds/${NOT_IN_PLAN}/${end}`, answer: "not_entitled" },
  { operation, path: `/v1/feeds/${NOT_LIVE}/${end}`, answer: "feed_not_live" },
];

const feedCasesOf = (
  operation: OperationId,
  misfit: string,
  end: string,
  { lostTable, lostQuery = "" }: { lostTable: string; lostQuery?: string },
): RateCase[] => {
  const of = (feed: string) => `/v1/feeds/${feed}/${end}`;
  return [
    ...casesOf(operation, of(FRESH), misfit, lostTable, of(FRESH) + lostQuery),
    { operation, path: of(FRESH), answer: "304", headers: { "If-None-Match": "*" } },
    { operation, path: `${of(FRESH)}?state=ZZ`, answer: "invalid_filter" },
    ...refusedFeeds(operation, end),
    { operation, path: of(STALE), answer: "stale_source", waitSeconds: 600 },
    quotaExceeded(operation, of(FRESH)),
  ];
};

const exportCasesOf = (operation: OperationId, end: string): RateCase[] => {
  const path = `/v1/feeds/${FRESH}/${end}`;
  return [
    ...feedCasesOf(operation, "since=soon", end, { lostTable: "export_slot" }),
    { operation, path, answer: "206", headers: { Range: "bytes=0-" } },
    { operation, path, answer: "export_changed", headers: { "If-Match": '"0"' } },
    { operation, path, answer: "range_not_satisfiable", headers: { Range: "bytes=99999999-" } },
    {
      operation,
      path,
      answer: "too_many_exports",
      plan: { concurrentExports: 1 },
      isBesideExport: true,
      waitSeconds: 10,
    },
  ];
};

const LOOKUPS = { method: "POST", path: "/v1/carriers/lookup", body: { usdots: [FRESH_DOT] } } as const;

/** The waits are those at 2026-11-21T12:00:15Z: 45 s before the minute ends, and 820,785 s before the month does. */
export const DATA_CASES: readonly RateCase[] = [
  ...casesOf("listFeeds", "/v1/feeds", "x=1", null),
  // The table of the second version, which is FRESH's newest one. The page is not cached.
  ...feedCasesOf("readRecords", "page=0", "records", {
    lostTable: "published.feed_2",
    lostQuery: "?page_size=7",
  }),
  ...exportCasesOf("exportFeed", "export.csv"),
  ...exportCasesOf("exportFeedAsNdjson", "export.ndjson"),
  ...exportCasesOf("exportFeedAsParquet", "export.parquet"),
  ...casesOf("listFeedVersions", `/v1/feeds/${FRESH}/versions`, "limit=0", "feed_step"),
  ...refusedFeeds("listFeedVersions", "versions"),
  ...casesOf("readFeedChanges", `/v1/feeds/${FRESH}/changes?since_version={version}`, "limit=0", "feed_step"),
  ...refusedFeeds("readFeedChanges", "changes?since_version=1"),
  {
    operation: "readFeedChanges",
    path: `/v1/feeds/${FRESH}/changes?since_version={version}&state=ZZ`,
    answer: "invalid_filter",
  },
  {
    operation: "readFeedChanges",
    path: `/v1/feeds/${FRESH}/changes?since_version=2147483647`,
    answer: "version_expired",
  },
  {
    operation: "readFeedChanges",
    path: `/v1/feeds/${FRESH}/changes?cursor={cursor}`,
    answer: "cursor_expired",
  },
  {
    operation: "readFeedChanges",
    path: `/v1/feeds/${STALE}/changes?since_version=1`,
    answer: "stale_source",
    waitSeconds: 600,
  },
  quotaExceeded("readFeedChanges", `/v1/feeds/${FRESH}/changes?since_version={previous}`),
  ...casesOf("countRecords", `/v1/feeds/${FRESH}/count`, "since=soon", null),
  ...refusedFeeds("countRecords", "count"),
  { operation: "countRecords", path: `/v1/feeds/${FRESH}/count?state=ZZ`, answer: "invalid_filter" },
  {
    operation: "countRecords",
    path: `/v1/feeds/${STALE}/count`,
    answer: "stale_source",
    waitSeconds: 600,
  },
  ...casesOf("searchCarriers", `/v1/carriers?docket=${FRESH_DOCKET}`, "x=1", "published.feed_2"),
  {
    operation: "searchCarriers",
    path: `/v1/carriers?docket=${STALE_DOCKET}`,
    answer: "stale_source",
    waitSeconds: 600,
  },
  quotaExceeded("searchCarriers", `/v1/carriers?docket=${FRESH_DOCKET}`),
  ...casesOf("lookUpCarrier", `/v1/carriers/${FRESH_DOT}`, "x=1", "published.feed_2"),
  { operation: "lookUpCarrier", path: "/v1/carriers/1", answer: "not_found" },
  {
    operation: "lookUpCarrier",
    path: `/v1/carriers/${STALE_DOT}`,
    answer: "stale_source",
    waitSeconds: 600,
  },
  quotaExceeded("lookUpCarrier", `/v1/carriers/${FRESH_DOT}`),
  ...casesOf("readTimeline", `/v1/carriers/${FRESH_DOT}/timeline`, "limit=0", "published.feed_2"),
  { operation: "readTimeline", path: "/v1/carriers/1/timeline", answer: "not_found" },
  {
    operation: "readTimeline",
    path: `/v1/carriers/${STALE_DOT}/timeline`,
    answer: "stale_source",
    waitSeconds: 600,
  },
  quotaExceeded("readTimeline", `/v1/carriers/${FRESH_DOT}/timeline`),
  ...casesOf("readConnections", `/v1/carriers/${FRESH_DOT}/connections`, "limit=51", "published.feed_2"),
  { operation: "readConnections", path: "/v1/carriers/1/connections", answer: "not_found" },
  {
    operation: "readConnections",
    path: `/v1/carriers/${STALE_DOT}/connections`,
    answer: "stale_source",
    waitSeconds: 600,
  },
  quotaExceeded("readConnections", `/v1/carriers/${FRESH_DOT}/connections`),
  ...postedCasesOf("lookUpCarriers", "200", LOOKUPS, "published.feed_2"),
  {
    operation: "lookUpCarriers",
    ...LOOKUPS,
    answer: "quota_exceeded",
    plan: { rowsPerMonth: 0 },
    waitSeconds: 820_785,
  },
  {
    operation: "lookUpCarriers",
    ...LOOKUPS,
    body: { usdots: [STALE_DOT] },
    answer: "stale_source",
    waitSeconds: 600,
  },
  ...bodyCasesOf("lookUpCarriers", LOOKUPS),
  ...casesOf("listEvents", "/v1/events", "limit=0", "detection"),
  {
    operation: "listEvents",
    path: "/v1/events?type=authority_inactive",
    answer: "not_entitled",
    plan: { feeds: { [FRESH]: null } },
  },
  {
    operation: "listEvents",
    path: "/v1/events",
    answer: "stale_source",
    detectedOf: "2026-11-10",
    waitSeconds: 600,
  },
  quotaExceeded("listEvents", "/v1/events"),
  { operation: "listEvents", path: "/v1/events?watchlist=1000000", answer: "not_found" },
  ...casesOf("readUsage", "/v1/usage", "x=1", "usage_day"),
  ...casesOf("listEventCorrections", "/v1/events/corrections", "limit=0", "event_correction"),
  {
    operation: "listEventCorrections",
    path: "/v1/events/corrections?type=authority_inactive",
    answer: "not_entitled",
    plan: { feeds: { [FRESH]: null } },
  },
  ...casesOf("readEvent", "/v1/events/{event}", "x=1", "event"),
  { operation: "readEvent", path: "/v1/events/9007199254740991", answer: "not_found" },
  quotaExceeded("readEvent", "/v1/events/{event}"),
  ...casesOf("listSources", "/v1/sources", "x=1", "source"),
];
