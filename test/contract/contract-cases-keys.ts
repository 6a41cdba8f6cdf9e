// What every operation behind a key answers to a key that will not do, and to one that is used up.
import { EVERYWHERE, PREPARED, SERVICE_ONLY } from "./contract-case-targets.ts";
import type { ContractCase, Sender } from "./contract-cases.ts";

const LIVE: [operation: string, path: string][] = [
  ["listFeeds", "/v1/feeds"],
  ["readRecords", "/v1/feeds/us_new_authority_weekly/records"],
  ["exportFeed", "/v1/feeds/us_new_authority_weekly/export.csv"],
  ["lookUpCarrier", "/v1/carriers/{dot}"],
  ["listEvents", "/v1/events"],
  ["readUsage", "/v1/usage"],
];
const WITH_ROWS = LIVE.slice(1, 5);

const refused = (
  [operation, path]: [string, string],
  sender: Sender,
  status: number,
  code: string,
  how: Partial<ContractCase> = {},
): ContractCase => ({
  ...{ operation, path, sender, status, code, targets: PREPARED },
  title: sender.replaceAll("_", " "),
  ...how,
});

export const keyCases: ContractCase[] = [
  ...LIVE.flatMap((one) => [
    refused(one, "nobody", 401, "invalid_api_key", { isJudgedByMock: true, targets: EVERYWHERE }),
    refused(one, "malformed_key", 401, "invalid_api_key", { targets: EVERYWHERE }),
    refused(one, "wrong_key", 401, "invalid_api_key", { targets: EVERYWHERE }),
    refused(one, "revoked_key", 401, "revoked_api_key"),
    refused(one, "plan_without_api", 403, "plan_has_no_api_access"),
    refused(one, "spent_minute", 429, "rate_limited"),
  ]),
  ...WITH_ROWS.map((one) => refused(one, "spent_quota", 429, "quota_exceeded")),
  // The order of the checks: the key before the plan, the plan before the parameters.
  ...(["revoked_key", "plan_without_api", "spent_minute"] as const).map((sender) =>
    refused(
      ["readRecords", "/v1/feeds/us_new_authority_weekly/records?page=0"],
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
