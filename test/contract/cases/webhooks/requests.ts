import type { ContractCase } from "../contract-cases.ts";

const JSON_BODY = { "Content-Type": "application/json" };
export const ASKED = { url: "https://hooks.example.com/trucking", event_types: ["reinstated"] };
export const NO_LIST = 9_007_199_254_740_991;

type Request = Pick<ContractCase, "operation" | "path"> & Partial<ContractCase>;

export const listWebhooks: Request = { operation: "listWebhooks", path: "/v1/webhooks" };
export const createWebhook: Request = {
  operation: "createWebhook",
  method: "POST",
  path: "/v1/webhooks",
  headers: JSON_BODY,
  body: ASKED,
};

export const REPLAY = { from: "2026-11-19T00:00:00Z", to: "2026-11-20T00:00:00Z" };
const PAUSED = { status: 409, code: "endpoint_paused" };

/** The operations on one endpoint, with the status of their answers, and their answers while it is paused. */
export const onEndpoint = (id: string): [request: Request, status: number, paused?: typeof PAUSED][] => [
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
