// The requests by which the contract is tried, and the answers it promises. The same list runs against the Prism
// mock, against the service behind Prism, and against any deployment: see test/contract/prism.
import { carrierCases } from "./contract-cases-carriers.ts";
import { eventsCases } from "./contract-cases-events.ts";
import { exportCases } from "./contract-cases-export.ts";
import { feedsCases } from "./contract-cases-feeds.ts";
import { filterCases } from "./contract-cases-filters.ts";
import { keyCases } from "./contract-cases-keys.ts";
import { recordsCases } from "./contract-cases-records.ts";
import { removalCases } from "./contract-cases-removals.ts";
import { usageCases } from "./contract-cases-usage.ts";
import { webhooksCases } from "./contract-cases-webhooks.ts";
import { wholeServiceCases } from "./contract-cases-whole-service.ts";

/** What a case can run against: Prism's mock, the service of this repository, a deployment we only have a key for. */
export type Target = "mock" | "service" | "deployment";

/** Whose key a request carries. All but the first four need an account made for the case. */
export type Sender =
  | "customer"
  | "nobody"
  | "malformed_key"
  | "wrong_key"
  | "revoked_key"
  | "plan_without_api"
  | "plan_of_brokers_in_texas"
  | "spent_minute"
  | "spent_quota"
  | "account_of_20_endpoints";

export interface ContractCase {
  /** The operationId; null where the answer is the whole service's, such as 404 to an unknown path. */
  operation: string | null;
  title: string;
  method?: "GET" | "POST" | "PUT" | "DELETE" | "OPTIONS";
  /**
   * Path and query. `{dot}` stands for a carrier of the data, `{stale_dot}` for one of a feed whose data is too old,
   * `{version}` for the version of the case's feed, `{event_type}` for an event type of the plan, `{cursor}` for a
   * cursor of the customer's events, `{endpoint}` for a webhook endpoint of the customer, `{tested_endpoint}` for one
   * that has had its test deliveries of the minute.
   */
  path: string;
  headers?: Record<string, string>;
  body?: unknown;
  sender?: Sender;
  /** A feed that has to be served for the case. */
  feed?: string;
  /** A feed that has to be in the plan and not published yet. */
  unpublishedFeed?: string;
  /** Sends the request twice, the second time with the first answer's ETag. */
  isRepeatedWithEtag?: true;
  status: number;
  /** The problem's code; on the mock also the example it is asked for. */
  code?: string;
  /** What a 422 complains about, each as "query page". */
  faults?: string[];
  /** Which example the mock is asked for. */
  example?: string;
  /** The mock judges the request itself: it is not told what to answer. */
  isJudgedByMock?: true;
  /** Sent past Prism, which never answers such a request or answers it in its own words. */
  isPastPrism?: true;
  /** What an answer of real data holds beyond its schema, whose shape the case knows. Not asked of the mock. */
  holds?: (body: never) => boolean;
  targets: readonly Target[];
}

/** Every case, in the order of the contract. */
export const CONTRACT_CASES: readonly ContractCase[] = [
  ...feedsCases,
  ...recordsCases,
  ...filterCases,
  ...exportCases,
  ...carrierCases,
  ...usageCases,
  ...eventsCases,
  ...webhooksCases,
  ...removalCases,
  ...keyCases,
  ...wholeServiceCases,
];

/** What a case is called in a report. */
export const nameOf = ({ operation, title, status, code }: ContractCase): string =>
  `${operation ?? "service"}: ${title} → ${status}${code === undefined ? "" : ` ${code}`}`;
