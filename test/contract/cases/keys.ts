// The answers of every operation that needs a key to an invalid key, and to one whose minute is used up.

import { lookUpCarriers } from "./carriers/carriers.ts";
import type { ContractCase, Sender } from "./contract-cases.ts";
import { MANAGED_KEY_REQUESTS } from "./managed-keys.ts";
import { EVERYWHERE, PREPARED, SERVICE_ONLY } from "./targets.ts";
import { createTestEvent } from "./testmode.ts";
import { WATCHLIST_REQUESTS } from "./watchlists.ts";
import { createWebhook, ENDPOINT_REQUESTS, listWebhooks } from "./webhooks/requests.ts";

type Request = Pick<ContractCase, "operation" | "path" | "method" | "headers" | "body">;

const records = { operation: "readRecords", path: "/v1/feeds/us_new_authority_weekly/records" };
const WITH_ROWS: Request[] = [
  records,
  { operation: "exportFeed", path: "/v1/feeds/us_new_authority_weekly/export.csv" },
  { operation: "exportFeedAsNdjson", path: "/v1/feeds/us_new_authority_weekly/export.ndjson" },
  { operation: "exportFeedAsParquet", path: "/v1/feeds/us_new_authority_weekly/export.parquet" },
  { operation: "searchCarriers", path: "/v1/carriers?name=tamarack" },
  { operation: "lookUpCarrier", path: "/v1/carriers/{dot}" },
  { operation: "readTimeline", path: "/v1/carriers/{dot}/timeline" },
  { operation: "readConnections", path: "/v1/carriers/{dot}/connections" },
  lookUpCarriers,
  // The events of test mode are of the day on which it began.
  { operation: "listEvents", path: "/v1/events?since=2026-01-01T00:00:00Z" },
  { operation: "readEvent", path: "/v1/events/{event}" },
];
const READING: Request[] = [
  { operation: "listFeeds", path: "/v1/feeds" },
  ...WITH_ROWS,
  { operation: "listFeedVersions", path: "/v1/feeds/us_new_authority_weekly/versions" },
  { operation: "readFeedChanges", path: "/v1/feeds/us_new_authority_weekly/changes?since_version=1" },
  { operation: "countRecords", path: "/v1/feeds/us_new_authority_weekly/count" },
  { operation: "readUsage", path: "/v1/usage" },
  { operation: "listSources", path: "/v1/sources" },
  { operation: "listEventCorrections", path: "/v1/events/corrections" },
  listWebhooks,
];
const WRITING: Request[] = [
  createTestEvent,
  createWebhook,
  ...ENDPOINT_REQUESTS,
  ...WATCHLIST_REQUESTS,
  ...MANAGED_KEY_REQUESTS,
];

const refused = (
  request: Request,
  sender: Sender,
  status: number,
  code: string,
  how: Partial<ContractCase> = {},
): ContractCase => ({
  ...request,
  sender,
  status,
  code,
  targets: PREPARED,
  title: sender.replaceAll("_", " "),
  ...how,
});

/** Without a good key nothing is written, so these are tried everywhere. */
const keysOf = (one: Request): ContractCase[] => [
  refused(one, "nobody", 401, "invalid_api_key", { isValidatedByMock: true, targets: EVERYWHERE }),
  refused(one, "malformed_key", 401, "invalid_api_key", { targets: EVERYWHERE }),
  refused(one, "wrong_key", 401, "invalid_api_key", { targets: EVERYWHERE }),
  refused(one, "revoked_key", 401, "revoked_api_key"),
  refused(one, "expired_key", 401, "expired_api_key"),
  refused(one, one.operation === "readUsage" ? "feeds_key" : "usage_key", 403, "insufficient_scope"),
  refused(one, "key_of_another_network", 403, "network_not_allowed"),
  refused(one, "plan_without_api", 403, "plan_has_no_api_access"),
  refused(one, "spent_minute", 429, "rate_limited"),
];

export const keyCases: ContractCase[] = [
  ...[...READING, ...WRITING].flatMap(keysOf),
  ...WITH_ROWS.map((one) => refused(one, "spent_quota", 429, "quota_exceeded")),
  // The order of the checks: the key before the plan, the plan before the parameters.
  ...(["revoked_key", "plan_without_api", "spent_minute"] as const).map((sender) =>
    refused(
      { ...records, path: `${records.path}?page=0` },
      sender,
      { revoked_key: 401, plan_without_api: 403, spent_minute: 429 }[sender],
      {
        revoked_key: "revoked_api_key",
        plan_without_api: "plan_has_no_api_access",
        spent_minute: "rate_limited",
      }[sender],
      { title: `${sender.replaceAll("_", " ")}, and page 0`, targets: SERVICE_ONLY },
    ),
  ),
];
