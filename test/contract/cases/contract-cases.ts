// The requests that try the contract, and the answers that it promises. The same list runs with the Prism mock, with
// the service behind Prism, and with any deployment: see test/contract/prism.
import { carrierCases } from "./carriers/carriers.ts";
import { eventsCases } from "./events.ts";
import { exportCases } from "./export.ts";
import { feedsCases } from "./feeds.ts";
import { filterCases } from "./filters.ts";
import { idempotencyCases } from "./idempotency.ts";
import { keyCases } from "./keys.ts";
import { managedKeyCases } from "./managed-keys.ts";
import { recordsCases } from "./records.ts";
import { removalCases } from "./removals.ts";
import { sourcesCases } from "./sources.ts";
import { syncCases } from "./sync.ts";
import { testModeCases } from "./testmode.ts";
import { usageCases } from "./usage.ts";
import { watchlistCases } from "./watchlists.ts";
import { webhookCreationCases } from "./webhooks/creation.ts";
import { webhookEndpointCases } from "./webhooks/endpoints.ts";
import { wholeServiceCases } from "./whole-service.ts";

/** Targets of a case: Prism's mock, the service of this repository, a deployment for which we only have a key. */
export type Target = "mock" | "service" | "deployment";

/** The owner of a request's key. All but the first four need an account made for the case. */
export type Sender =
  | "customer"
  | "nobody"
  | "malformed_key"
  | "wrong_key"
  | "revoked_key"
  | "expired_key"
  /** A key of the customer that may read usage alone, one that may read feeds alone, and one that may manage keys alone. */
  | "usage_key"
  | "feeds_key"
  | "narrow_manager"
  /** A key of the customer that may be used only from a network that no case comes from. */
  | "key_of_another_network"
  /** A test key of the customer. */
  | "tester"
  | "plan_without_api"
  | "plan_of_brokers_in_texas"
  | "spent_minute"
  | "spent_quota"
  /** Its plan lets it watch no carrier. */
  | "plan_without_watching"
  /** It has 20 active endpoints, 100 watchlists and 50 keys in use. */
  | "full_account";

export interface ContractCase {
  /** The operationId; null if the answer is that of the whole service, such as 404 to an unknown path. */
  operation: string | null;
  title: string;
  method?: "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE" | "OPTIONS";
  /**
   * Path and query. `{dot}` is replaced by a carrier of the data, `{stale_dot}` by one of a feed whose data is too old, and `{stale_docket}` by its docket number, all in the body too;
   * `{version}` by the version of the case's feed and `{removals}` by the number of its checkpoint, `{event_type}` by an event type of the plan, `{cursor}` by a cursor
   * of the customer's events, `{event}` by an event that the plan includes, `{endpoint}` by a webhook endpoint of the customer, `{delivery}` by a delivery of it,
   * `{watchlist}` by a watchlist of the customer, `{own_key}` by a key of the customer, `{ended_key}` by a revoked one, `{tested_endpoint}` by one that has had its test deliveries of the minute.
   */
  path: string;
  headers?: Record<string, string>;
  body?: unknown;
  sender?: Sender;
  /** A feed that must be published for the case. */
  feed?: string;
  /** A feed that must be in the plan and not published yet. */
  unpublishedFeed?: string;
  /** Sends the request twice, the second time with the first answer's ETag. */
  isRepeatedWithEtag?: true;
  status: number;
  /** The problem's code, which is also the name of the mock's example. */
  code?: string;
  /** The locations of a 422's errors, such as "query page". */
  faults?: string[];
  /** The name of the mock's example. */
  example?: string;
  /** The mock validates the request itself: it is not told what to answer. */
  isValidatedByMock?: true;
  /** Bypasses Prism, which never answers such a request or has its own answer. */
  isPastPrism?: true;
  /** A condition on real data beyond its schema. Not checked on the mock. */
  holds?: (body: never) => boolean;
  targets: readonly Target[];
}

/** Every case, in the order of the contract. */
export const CONTRACT_CASES: readonly ContractCase[] = [
  ...feedsCases,
  ...recordsCases,
  ...filterCases,
  ...exportCases,
  ...syncCases,
  ...carrierCases,
  ...usageCases,
  ...sourcesCases,
  ...eventsCases,
  ...watchlistCases,
  ...webhookCreationCases,
  ...webhookEndpointCases,
  ...testModeCases,
  ...idempotencyCases,
  ...removalCases,
  ...managedKeyCases,
  ...keyCases,
  ...wholeServiceCases,
];

/** The name of a case in a report. */
export const nameOf = ({ operation, title, status, code }: ContractCase): string =>
  `${operation ?? "service"}: ${title} → ${status}${code === undefined ? "" : ` ${code}`}`;
