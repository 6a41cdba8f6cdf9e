// Operations whose room is not built: the mock answers for them, so that customers can write against them already.
import { MOCK_ONLY } from "./contract-case-targets.ts";
import type { ContractCase } from "./contract-cases.ts";

const JSON_BODY = { "Content-Type": "application/json" };
const ENDPOINT = { url: "https://hooks.example.com/trucking", event_types: ["reinstated"] };

type Request = Pick<ContractCase, "operation" | "method" | "path" | "headers" | "body" | "sender">;

const listWebhooks: Request = { operation: "listWebhooks", path: "/v1/webhooks" };
const createWebhook: Request = {
  ...{ operation: "createWebhook", method: "POST", path: "/v1/webhooks" },
  ...{ headers: JSON_BODY, body: ENDPOINT },
};
const pauseWebhook: Request = { operation: "pauseWebhook", method: "DELETE", path: "/v1/webhooks/17" };
const testWebhook: Request = { operation: "testWebhook", method: "POST", path: "/v1/webhooks/17/test" };
const rotate: Request = { operation: "rotateWebhookSecret", method: "POST", path: "/v1/webhooks/17/rotate" };
const requestRemoval: Request = {
  ...{ operation: "requestRemoval", method: "POST", path: "/v1/opt-out", sender: "nobody" },
  ...{ headers: JSON_BODY, body: { usdot: "4312907" } },
};

const answered = (request: Request, status: number, how: Partial<ContractCase> = {}): ContractCase => ({
  ...{ ...request, title: how.code ?? how.example ?? "in order", status, targets: MOCK_ONLY },
  ...how,
});
const judged = { isJudgedByMock: true } as const;

export const plannedCases: ContractCase[] = [
  answered(listWebhooks, 200),
  answered(createWebhook, 201),
  answered({ ...createWebhook, body: { url: "https://hooks.example.com" } }, 422, {
    ...judged,
    title: "no event types",
  }),
  answered({ ...createWebhook, body: { ...ENDPOINT, secret: "mine" } }, 422, {
    ...judged,
    title: "an unknown member",
  }),
  answered({ ...createWebhook, headers: { "Content-Type": "text/plain" } }, 415, {
    ...judged,
    title: "text",
  }),
  answered(pauseWebhook, 204),
  answered({ ...pauseWebhook, path: "/v1/webhooks/seventeen" }, 422, {
    ...judged,
    title: "a word for an id",
  }),
  answered(testWebhook, 202),
  answered(rotate, 200),
  answered(requestRemoval, 202),
  answered({ ...requestRemoval, body: { details: "x".repeat(2001) } }, 422, { ...judged, title: "too long" }),
  ...[listWebhooks, createWebhook, pauseWebhook, testWebhook, rotate].map((request) =>
    answered({ ...request, sender: "nobody" }, 401, { ...judged, code: "invalid_api_key" }),
  ),
];
