import { afterAll, beforeAll, beforeEach, expect } from "vitest";
import type { components } from "../../../../src/generated/types.ts";
import type { Dispatcher } from "../../../../src/webhooks/dispatch/dispatcher.ts";
import { ALL_FEEDS, AMPLE } from "../../../support/feeds/every-feed.ts";
import { type GivenChange, putChanges } from "../../../support/registry/recorded-changes.ts";
import { changeRows, putRows } from "../../../support/rows.ts";
import { startTestService, type TestService } from "../../../support/service.ts";
import { LOOPBACK_ENV, startTestDispatcher, untilIdle } from "../../../support/webhooks/dispatching.ts";
import { type Receiver, startReceiver } from "../../../support/webhooks/receiver.ts";

export type Schemas = components["schemas"];
type Endpoint = Schemas["WebhookOut"];

export let service: TestService;
export let receiver: Receiver;
let key: string;
export let accountId: number;
export let planCode: string;
let dispatcher: Dispatcher | undefined;
/** 101 and 102 in Texas, 103 in Ohio. */
export let list: number;

export async function ask<Answer>(
  method: string,
  path: string,
  body?: object,
  status = 200,
): Promise<Answer> {
  const answer = await service.send(method, `/v1/${path}`, { key, body });
  const text = await answer.text();
  expect([answer.status, text]).toEqual([status, text]);
  return (text === "" ? null : JSON.parse(text)) as Answer;
}

export async function watch(usdots: readonly string[]): Promise<number> {
  const { id } = await ask<{ id: number }>("POST", "watchlists", { name: "Clients" }, 201);
  await ask("POST", `watchlists/${id}/carriers`, { usdots });
  return id;
}

export const register = (more: Partial<Schemas["WebhookIn"]> = {}) =>
  ask<Endpoint>(
    "POST",
    "webhooks",
    { url: `${receiver.url}/in`, event_types: ["reinstated"], changes: true, ...more },
    201,
  );
export const put = (...changes: GivenChange[]) =>
  putChanges(service.context.db, changes, service.clock.now());
export const deliveriesOf = async ({ id }: Endpoint) =>
  (await ask<Schemas["DeliveriesOut"]>("GET", `webhooks/${id}/deliveries`)).data.reverse();

/** The changes that were queued for an endpoint. */
export const queuedFor = async (endpoint: Endpoint) =>
  (await deliveriesOf(endpoint)).map(({ change_id }) => Number(change_id?.slice("chg_".length)));

export const outcomesOf = async (endpoint: Endpoint) =>
  (await deliveriesOf(endpoint)).map(({ status, cancel_reason }) => cancel_reason ?? status);

export async function send(): Promise<void> {
  dispatcher ??= startTestDispatcher(service.context);
  await untilIdle(service.context);
}

/** A service of one test file, with a customer for each test who watches carriers. */
export function useWatchedCarriers(): void {
  beforeAll(async () => {
    service = await startTestService({ env: LOOPBACK_ENV });
    receiver = await startReceiver();
    const { pool } = service.context.db;
    const states = [
      [101, "TX"],
      [102, "TX"],
      [103, "OH"],
      [104, "TX"],
    ] as const;
    await putRows(
      pool,
      "authority",
      ...states.map(([usdot, registry_state]) => ({ usdot, docket: `MC${usdot}`, registry_state })),
    );
  });
  beforeEach(async () => {
    await changeRows(service.context.db.pool, "webhook_endpoint", { active: false });
    receiver.received.length = 0;
    ({ key, accountId, planCode } = await service.createAccount({ ...AMPLE, feeds: ALL_FEEDS }));
    list = await watch(["101", "102", "103"]);
    return async () => {
      await dispatcher?.stop();
      dispatcher = undefined;
    };
  });
  afterAll(async () => {
    await receiver.close();
    await service.stop();
  });
}
