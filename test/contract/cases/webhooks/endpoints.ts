import type { ContractCase } from "../contract-cases.ts";
import { EVERYWHERE, PREPARED, SERVICE_ONLY } from "../targets.ts";
import { NO_LIST, onEndpoint, REPLAY, requestOf } from "./requests.ts";

/** A body whose error only the service finds. */
const unfit = (id: string, title: string, body: unknown, member: string): ContractCase => ({
  ...requestOf(id),
  title,
  body,
  status: 422,
  faults: [`body ${member}`],
  targets: SERVICE_ONLY,
});

/** Of the operations on one endpoint. */
export const webhookEndpointCases: ContractCase[] = [
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
