import type { ContractCase } from "../contract-cases.ts";
import { EVERYWHERE, PREPARED, SERVICE_ONLY } from "../targets.ts";
import { ASKED, createWebhook, listWebhooks, NO_LIST } from "./requests.ts";

const { url } = ASKED;

interface Endpoint {
  id: number;
  active: boolean;
  event_types: string[];
  description: string | null;
  secret?: string;
  secret_prefix: string;
  filters?: { states?: string[] } | null;
  payload?: string;
  changes?: boolean;
}

const created = (
  title: string,
  change: object,
  holds: (endpoint: Endpoint) => boolean = () => true,
): ContractCase => ({
  ...createWebhook,
  title,
  body: { ...ASKED, ...change },
  status: 201,
  targets: PREPARED,
  holds: (endpoint: Endpoint) =>
    endpoint.active && endpoint.secret?.startsWith(endpoint.secret_prefix) === true && holds(endpoint),
});

const refused = (code: string, title: string, how: Partial<ContractCase>): ContractCase => ({
  ...createWebhook,
  title,
  status: 400,
  code,
  targets: PREPARED,
  ...how,
});

/** A body with an error, so that nothing is written; the mock finds it itself if the contract's types are enough. */
const misfit = (
  title: string,
  body: unknown,
  faults: string[],
  how: Partial<ContractCase> = {},
): ContractCase => ({
  ...createWebhook,
  title,
  body,
  status: 422,
  faults: faults.map((fault) => `body ${fault}`),
  isValidatedByMock: true,
  targets: EVERYWHERE,
  ...how,
});

/** Of the list of endpoints, and of endpoints that are made. */
export const webhookCreationCases: ContractCase[] = [
  {
    ...listWebhooks,
    title: "endpoints and event types",
    status: 200,
    targets: EVERYWHERE,
    holds: ({ data }: { data: Endpoint[] }) =>
      data.every(({ id, secret }, index) => secret === undefined && id > (data[index - 1]?.id ?? 0)),
  },
  {
    ...listWebhooks,
    title: "a query parameter it does not have",
    path: "/v1/webhooks?active=true",
    status: 422,
    faults: ["query active"],
    example: "unknown_parameter",
    targets: EVERYWHERE,
  },
  created("an address and an event type", {}),
  created("a description", { description: "Lead import" }, (one) => one.description === "Lead import"),
  created("no description", { description: null }, ({ description }) => description === null),
  created(
    "an event type twice",
    { event_types: ["reinstated", "authority_inactive", "reinstated"] },
    ({ event_types }) => event_types.join() === "reinstated,authority_inactive",
  ),
  created(
    "filters and a thin payload",
    { filters: { states: ["TX", "ok"], usdots: ["04312907"], trucks_max: 20 }, payload: "thin" },
    ({ filters, payload }) => payload === "thin" && filters?.states?.length === 2,
  ),
  created("changes of watched carriers", { changes: true }, ({ changes }) => changes === true),
  created("no filters", { filters: null }, ({ filters }) => filters === null),
  refused("invalid_url", "an address that is not https", {
    body: { ...ASKED, url: "http://hooks.example.com" },
  }),
  refused("invalid_url", "an address that is not public", { body: { ...ASKED, url: "https://10.0.0.1/in" } }),
  refused("event_type_not_in_plan", "an event type the plan lacks", {
    sender: "plan_of_brokers_in_texas",
    body: { url, event_types: ["revocation_pending"] },
  }),
  refused("endpoint_limit_reached", "the 21st active endpoint", { sender: "full_account" }),
  misfit("no event types", { url }, ["event_types"]),
  misfit("an empty list of event types", { url, event_types: [] }, ["event_types"]),
  misfit("an unknown event type", { url, event_types: ["sold"] }, ["event_types 0"]),
  misfit("an address that is too long", { ...ASKED, url: `${url}/${"x".repeat(2_000)}` }, ["url"]),
  misfit("a description that is too long", { ...ASKED, description: "x".repeat(121) }, ["description"]),
  misfit("an unknown member", { ...ASKED, secret: "mine" }, ["secret"]),
  misfit("an empty list of states", { ...ASKED, filters: { states: [] } }, ["filters states"]),
  misfit("a state that is no code", { ...ASKED, filters: { states: ["Texas"] } }, ["filters states 0"]),
  misfit("a USDOT number with letters", { ...ASKED, filters: { usdots: ["MC1"] } }, ["filters usdots 0"]),
  misfit(
    "1,001 USDOT numbers",
    { ...ASKED, filters: { usdots: Array.from({ length: 1_001 }, (_, index) => String(index)) } },
    ["filters usdots"],
  ),
  misfit("an unknown authority type", { ...ASKED, filters: { authority_types: ["passenger"] } }, [
    "filters authority_types 0",
  ]),
  misfit("an empty list of watchlists", { ...ASKED, filters: { watchlist_ids: [] } }, [
    "filters watchlist_ids",
  ]),
  misfit("a watchlist that is no number", { ...ASKED, filters: { watchlist_ids: ["12"] } }, [
    "filters watchlist_ids 0",
  ]),
  misfit(
    "an unknown watchlist",
    { ...ASKED, filters: { watchlist_ids: [NO_LIST] } },
    ["filters watchlist_ids 0"],
    {
      targets: SERVICE_ONLY,
    },
  ),
  misfit("fewer trucks than none", { ...ASKED, filters: { trucks_min: -1 } }, ["filters trucks_min"]),
  misfit("an unknown filter", { ...ASKED, filters: { cities: ["Austin"] } }, ["filters cities"]),
  misfit("changes that are no boolean", { ...ASKED, changes: "yes" }, ["changes"]),
  misfit("an unknown payload", { ...ASKED, payload: "fat" }, ["payload"]),
  misfit("an unknown state", { ...ASKED, filters: { states: ["TX", "ZZ"] } }, ["filters states 1"], {
    targets: SERVICE_ONLY,
  }),
  misfit(
    "an empty range of trucks",
    { ...ASKED, filters: { trucks_min: 2, trucks_max: 1 } },
    ["filters trucks_max"],
    { targets: SERVICE_ONLY },
  ),
  misfit("a line break in the description", { ...ASKED, description: "a\nb" }, ["description"], {
    targets: SERVICE_ONLY,
  }),
  {
    ...createWebhook,
    title: "text",
    headers: { "Content-Type": "text/plain" },
    status: 415,
    code: "unsupported_media_type",
    targets: PREPARED,
  },
  {
    ...createWebhook,
    title: "a large body",
    body: { ...ASKED, url: "x".repeat(33_000) },
    status: 413,
    code: "payload_too_large",
    targets: SERVICE_ONLY,
  },
];
