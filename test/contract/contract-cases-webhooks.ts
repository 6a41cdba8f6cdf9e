import { EVERYWHERE, PREPARED, SERVICE_ONLY } from "./contract-case-targets.ts";
import type { ContractCase } from "./contract-cases.ts";

const JSON_BODY = { "Content-Type": "application/json" };
const ASKED = { url: "https://hooks.example.com/trucking", event_types: ["reinstated"] };
const { url } = ASKED;
const NO_LIST = 9_007_199_254_740_991;

type Request = Pick<ContractCase, "operation" | "path"> & Partial<ContractCase>;

export const listWebhooks: Request = { operation: "listWebhooks", path: "/v1/webhooks" };
export const createWebhook: Request = {
  operation: "createWebhook",
  method: "POST",
  path: "/v1/webhooks",
  headers: JSON_BODY,
  body: ASKED,
};

const REPLAY = { from: "2026-11-19T00:00:00Z", to: "2026-11-20T00:00:00Z" };
const PAUSED = { status: 409, code: "endpoint_paused" };

/** The operations on one endpoint, with the status of their answers, and their answers while it is paused. */
const onEndpoint = (id: string): [request: Request, status: number, paused?: typeof PAUSED][] => [
  [{ operation: "readWebhook", path: `/v1/webhooks/${id}` }, 200],
  [
    {
      operation: "updateWebhook",
      method: "PATCH",
      path: `/v1/webhooks/${id}`,
      headers: JSON_BODY,
      body: { description: "Lead import" },
    },
    200,
  ],
  [{ operation: "listWebhookDeliveries", path: `/v1/webhooks/${id}/deliveries` }, 200],
  [{ operation: "readWebhookDelivery", path: `/v1/webhooks/${id}/deliveries/{delivery}` }, 200],
  [
    {
      operation: "resendWebhookDelivery",
      method: "POST",
      path: `/v1/webhooks/${id}/deliveries/{delivery}/resend`,
    },
    202,
    PAUSED,
  ],
  [
    {
      operation: "replayWebhook",
      method: "POST",
      path: `/v1/webhooks/${id}/replay`,
      headers: JSON_BODY,
      body: REPLAY,
    },
    200,
    PAUSED,
  ],
  [{ operation: "testWebhook", method: "POST", path: `/v1/webhooks/${id}/test` }, 202],
  [
    {
      operation: "rotateWebhookSecret",
      method: "POST",
      path: `/v1/webhooks/${id}/rotate`,
      headers: JSON_BODY,
      body: { overlap_seconds: 0 },
    },
    200,
  ],
  [{ operation: "pauseWebhook", method: "DELETE", path: `/v1/webhooks/${id}` }, 204],
];
export const ENDPOINT_REQUESTS: readonly Request[] = onEndpoint("{endpoint}").map(([request]) => request);

/** A request of an operation on an endpoint. */
export const requestOf = (id: string): Request =>
  ENDPOINT_REQUESTS.find(({ operation }) => operation === id) as Request;

/** A body whose error only the service finds. */
const unfit = (id: string, title: string, body: unknown, member: string): ContractCase => ({
  ...requestOf(id),
  title,
  body,
  status: 422,
  faults: [`body ${member}`],
  targets: SERVICE_ONLY,
});

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

export const webhooksCases: ContractCase[] = [
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
  ...onEndpoint("{endpoint}").map(
    ([request, status]): ContractCase => ({ ...request, title: "an endpoint", status, targets: PREPARED }),
  ),
  ...onEndpoint("{endpoint}").map(
    ([request, status, paused]): ContractCase => ({
      ...request,
      title: "paused",
      status,
      ...paused,
      targets: SERVICE_ONLY,
    }),
  ),
  ...onEndpoint("9007199254740991").map(
    ([request]): ContractCase => ({
      ...request,
      title: "an unknown endpoint",
      status: 404,
      code: "not_found",
      targets: EVERYWHERE,
    }),
  ),
  ...onEndpoint("{endpoint}").map(
    ([request]): ContractCase => ({
      ...request,
      title: "another account's",
      sender: "plan_of_brokers_in_texas",
      status: 404,
      code: "not_found",
      targets: SERVICE_ONLY,
    }),
  ),
  ...["seventeen", "0", "-1", "1.5"].flatMap((id) =>
    onEndpoint(id).map(
      ([request]): ContractCase => ({
        ...request,
        title: `the id ${id}`,
        status: 422,
        faults: ["path endpoint_id"],
        isValidatedByMock: true,
        targets: EVERYWHERE,
      }),
    ),
  ),
  ...onEndpoint("{endpoint}").map(
    ([request]): ContractCase => ({
      ...request,
      title: "a query parameter it does not have",
      path: `${request.path}?now=1`,
      status: 422,
      faults: ["query now"],
      example: "unknown_parameter",
      targets: PREPARED,
    }),
  ),
  unfit("replayWebhook", "a range that ends before it begins", { ...REPLAY, to: REPLAY.from }, "to"),
  unfit("replayWebhook", "a range of more than 31 days", { ...REPLAY, from: "2026-10-01T00:00:00Z" }, "to"),
  ...[86_401, -1, "60"].map(
    (overlap_seconds): ContractCase => ({
      ...requestOf("rotateWebhookSecret"),
      title: `an overlap of ${JSON.stringify(overlap_seconds)}`,
      body: { overlap_seconds },
      status: 422,
      faults: ["body overlap_seconds"],
      isValidatedByMock: true,
      targets: PREPARED,
    }),
  ),
  unfit(
    "updateWebhook",
    "an unknown watchlist",
    { filters: { watchlist_ids: [NO_LIST] } },
    "filters watchlist_ids 0",
  ),
  {
    ...requestOf("listWebhookDeliveries"),
    title: "deliveries of changes",
    path: "/v1/webhooks/{endpoint}/deliveries?type=carrier_change",
    status: 200,
    targets: PREPARED,
  },
  unfit("updateWebhook", "an unknown state", { filters: { states: ["ZZ"] } }, "filters states 0"),
  unfit("updateWebhook", "a line break in the description", { description: "a\nb" }, "description"),
  {
    ...requestOf("listWebhookDeliveries"),
    title: "a cursor that is none",
    path: "/v1/webhooks/{endpoint}/deliveries?cursor=x",
    status: 422,
    faults: ["query cursor"],
    targets: SERVICE_ONLY,
  },
  ...["updateWebhook", "replayWebhook", "rotateWebhookSecret"].flatMap((id): ContractCase[] => [
    {
      ...requestOf(id),
      title: "text",
      headers: { "Content-Type": "text/plain" },
      status: 415,
      code: "unsupported_media_type",
      targets: PREPARED,
    },
    {
      ...requestOf(id),
      title: "a large body",
      body: { description: "x".repeat(33_000) },
      status: 413,
      code: "payload_too_large",
      targets: SERVICE_ONLY,
    },
  ]),
  {
    ...requestOf("updateWebhook"),
    title: "an address that is not public",
    body: { url: "https://10.0.0.1/in" },
    status: 400,
    code: "invalid_url",
    targets: PREPARED,
  },
  {
    operation: "testWebhook",
    title: "the seventh test delivery within a minute",
    method: "POST",
    path: "/v1/webhooks/{tested_endpoint}/test",
    status: 429,
    code: "rate_limited",
    targets: SERVICE_ONLY,
  },
];
