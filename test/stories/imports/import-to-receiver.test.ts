import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { FEEDS } from "../../../src/feeds/catalogue.ts";
import type { components } from "../../../src/generated/types.ts";
import { importFolder } from "../../../src/importer/import.ts";
import { settableClock } from "../../support/clock.ts";
import { followEvents } from "../../support/events/event-follower.ts";
import type { ImportDay } from "../../support/processes/import-processes.ts";
import { generateDays } from "../../support/registry/registry-days.ts";
import { startTestService, type TestService } from "../../support/service.ts";
import {
  isSignedWith,
  LOOPBACK_ENV,
  startTestDispatcher,
  untilIdle,
} from "../../support/webhooks/dispatching.ts";
import { type Receiver, startReceiver } from "../../support/webhooks/receiver.ts";

type WebhookOut = components["schemas"]["WebhookOut"];

let folder: string;
let service: TestService;
let receiver: Receiver;
let days: ImportDay[];

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "tdf-receiver-"));
  days = await generateDays(folder, { seed: 7, count: 2 });
  service = await startTestService({ env: LOOPBACK_ENV, clock: settableClock(days[0]?.now ?? "") });
  receiver = await startReceiver();
});

afterAll(async () => {
  await receiver.close();
  await service.stop();
  await rm(folder, { recursive: true, force: true });
});

const importDay = async ({ dir, now }: ImportDay) => {
  service.clock.set(now);
  await importFolder(service.context, { dir, asOf: null, accept: new Set() });
};

it("every event of an import that a customer may read reaches the customer's receiver, once and signed", async () => {
  const [first, second] = days as [ImportDay, ImportDay];
  await importDay(first);
  // About half of the events are in other states.
  const states = ["AL", "GA", "KY", "MA", "MD", "MN", "NC", "NJ"];
  const feeds = Object.fromEntries(FEEDS.map(({ code }) => [code, states]));
  const { key } = await service.createAccount({ feeds, requestsPerMinute: 10_000, rowsPerMonth: 1_000_000 });
  const event_types = ["new_authority_granted", "authority_inactive", "reinstated"];
  const asked = { url: `${receiver.url}/hooks?customer=1`, event_types, description: "all that changes" };
  const answer = await service.send("POST", "/v1/webhooks", { key, body: asked });
  const { secret } = (await answer.json()) as WebhookOut;

  const dispatcher = startTestDispatcher(service.context);
  await importDay(second);
  await untilIdle(service.context);
  await dispatcher.stop();

  const follower = followEvents({
    get: (path) => service.get(path, key),
    queryOf: () => `type=${event_types.join(",")}&since=2026-01-01T00:00:00Z&limit=1000`,
  });
  await follower.catchUp();
  expect(follower.seen.length).toBeGreaterThan(5);
  const delivered = receiver.received.map(({ body }) => JSON.parse(body.toString()));
  const byId = (one: { id: string }, other: { id: string }) =>
    Number(one.id.slice(4)) - Number(other.id.slice(4));
  expect(delivered.sort(byId)).toEqual(
    follower.seen.map(({ id, type, detected_at: created, country: _, ...data }) => ({
      id: `evt_${id}`,
      type,
      created,
      data,
    })),
  );
  for (const received of receiver.received) expect(isSignedWith(secret ?? "", received)).toBe(true);
});
