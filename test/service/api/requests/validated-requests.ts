import { afterAll, beforeAll, expect } from "vitest";
import { handlers } from "../../../../src/generated/handlers.ts";
import type { Handler, Handlers } from "../../../../src/generated/operations.ts";
import { startTestService, type TestService } from "../../../support/service.ts";

export let service: TestService;
export let key: string;

// The tests replace the handlers: they are about validation only. Handlers have their own tests.
const createWebhook: Handler<"createWebhook"> = async ({ body }) => ({
  status: 201,
  body: { id: 1, url: body.url, event_types: body.event_types, secret: "s" } as never,
});

const listEvents: Handler<"listEvents"> = async ({ query }) => ({ status: 200, body: query as never });

type Detail = { loc: (string | number)[]; msg: string; type: string }[];

export async function detailOf(answer: Response): Promise<Detail> {
  expect(answer.status).toBe(422);
  expect(answer.headers.get("content-type")).toBe("application/json");
  expect(answer.headers.get("x-ratelimit-limit")).toBe("100000");
  return ((await answer.json()) as { detail: Detail }).detail;
}

export const RECORDS = "/v1/feeds/us_brokers/records";

/** A service whose handlers answer with what reaches them. */
export function useValidatingService(): void {
  beforeAll(async () => {
    service = await startTestService({ handlers: { ...handlers, createWebhook, listEvents } as Handlers });
    ({ key } = await service.createAccount({ requestsPerMinute: 100_000, feeds: { us_brokers: null } }));
  });
  afterAll(() => service.stop());
}
