// The SDK has a call for every operation of the contract.
import { buffer } from "node:stream/consumers";
import { afterAll, beforeAll, expect, it } from "vitest";
import { ALL_SCOPES } from "../../../src/accounts/keys/grant.ts";
import { updateSharedValues } from "../../../src/carriers/connections/shared-values.ts";
import { type OperationId, operationTable } from "../../../src/generated/operations.ts";
import { fanOut } from "../../../src/webhooks/queue/fan-out.ts";
import { putEvents, setDetection } from "../../../test/support/events/events.ts";
import { putRows } from "../../../test/support/rows.ts";
import { startTestService, type TestService } from "../../../test/support/service.ts";
import type { TruckingDataFeed } from "../src/index.ts";
import { allOf, customerOf, publishBrokers } from "./brokers.ts";

const FEED = "us_brokers";
const ENDPOINT = { url: "https://hooks.example.com/in", event_types: ["new_authority_granted" as const] };

let service: TestService;
let tdf: TruckingDataFeed;
let version: number;
let eventId: number;
let endpointId: number;
let otherId: number;
let deliveryId: number;
let watchlistId: number;
let keyId: string;
let sent: string[] = [];
beforeAll(async () => {
  service = await startTestService();
  const { context } = service;
  version = await publishBrokers(service, [4_400_000, 4_400_001]);
  await putRows(context.db.pool, "census", { usdot: 4_400_000, is_individual: false });
  await updateSharedValues(context);
  await setDetection(context.db, { finishedAt: "2026-11-20T11:20:06Z", asOf: "2026-11-20" });
  tdf = await customerOf(service, { scopes: ALL_SCOPES }, { fetch: noted });
  keyId = (await tdf.keys.create({ name: "Nightly sync" })).id;
  endpointId = (await tdf.webhooks.create(ENDPOINT)).id;
  watchlistId = (await tdf.watchlists.create({ name: "Clients" })).id;
  otherId = (await tdf.webhooks.create(ENDPOINT)).id;
  [eventId = 0] = await putEvents(context.db, [{ usdot: 4_400_000, detectedAt: "2026-11-21T12:00:00Z" }]);
  await fanOut(context);
  const [delivery] = await allOf(tdf.webhooks.deliveries(endpointId));
  deliveryId = delivery?.delivery_id ?? 0;
});
afterAll(() => service.stop());

const noted: typeof fetch = (input, init) => {
  const { method, url } = input as Request;
  sent.push(`${method} ${new URL(url).pathname}`);
  return fetch(input, init);
};

const fileAs = async (format: "csv" | "ndjson" | "parquet") =>
  buffer((await tdf.openExport(FEED, {}, { format })).body);
const RANGE = { from: "2026-11-20T00:00:00Z", to: "2026-11-22T00:00:00Z" };

const CALLS: Record<OperationId, () => Promise<unknown>> = {
  listFeeds: () => tdf.feeds(),
  readRecords: () => allOf(tdf.records(FEED)),
  exportFeed: () => fileAs("csv"),
  exportFeedAsNdjson: () => fileAs("ndjson"),
  exportFeedAsParquet: () => fileAs("parquet"),
  listSources: () => tdf.sources(),
  listFeedVersions: () => allOf(tdf.versions(FEED)),
  readFeedChanges: () => allOf(tdf.changes(FEED, version, { state: ["TX"], op: "added" })),
  countRecords: () => tdf.count(FEED, { by: "state" }),
  searchCarriers: () => tdf.searchCarriers({ docket: "MC-1", limit: 5 }),
  lookUpCarrier: () => tdf.carrier(4_400_000),
  lookUpCarriers: () => tdf.carriers({ usdots: ["4400000"], dockets: ["MC-1"] }),
  readTimeline: () => allOf(tdf.timeline(4_400_000, { category: "authority" })),
  readConnections: () => allOf(tdf.connections(4_400_000, { link: ["phone"], state: "ended" })),
  readUsage: () => tdf.usage(),
  listEvents: () => allOf(tdf.events()),
  listEventCorrections: () => allOf(tdf.corrections({ type: ["reinstated"], pageSize: 10 })),
  // The key is a live one: the service refuses it.
  createTestEvent: () =>
    tdf.createTestEvent({ type: "reinstated", usdot: "90000004" }).catch((error: Error) => error),
  readEvent: () => tdf.event(eventId),
  listWatchlists: () => tdf.watchlists.list(),
  createWatchlist: () => tdf.watchlists.create({ name: "Prospects" }),
  readWatchlist: () => tdf.watchlists.read(watchlistId),
  updateWatchlist: () => tdf.watchlists.update(watchlistId, { name: "Clients of today" }),
  addWatchedCarriers: () => tdf.watchlists.add(watchlistId, { usdots: ["4400000"] }),
  replaceWatchedCarriers: () => tdf.watchlists.replace(watchlistId, { usdots: [] }),
  listWatchedCarriers: () => allOf(tdf.watchlists.carriers(watchlistId)),
  removeWatchedCarriers: () => tdf.watchlists.remove(watchlistId, { dockets: ["MC-1"] }),
  listCarrierChanges: () => allOf(tdf.carrierChanges({ watchlist: watchlistId, category: ["contact"] })),
  listWebhooks: () => tdf.webhooks.list(),
  createWebhook: () => tdf.webhooks.create(ENDPOINT),
  readWebhook: () => tdf.webhooks.read(endpointId),
  updateWebhook: () => tdf.webhooks.update(endpointId, { description: "ours" }),
  testWebhook: () => tdf.webhooks.test(endpointId),
  rotateWebhookSecret: () => tdf.webhooks.rotateSecret(endpointId),
  listWebhookDeliveries: () => allOf(tdf.webhooks.deliveries(endpointId, { status: "queued" })),
  readWebhookDelivery: () => tdf.webhooks.delivery(endpointId, deliveryId),
  resendWebhookDelivery: () => tdf.webhooks.resend(endpointId, deliveryId),
  replayWebhook: () => tdf.webhooks.replay(endpointId, RANGE),
  pauseWebhook: () => tdf.webhooks.pause(otherId),
  deleteWatchlist: () => tdf.watchlists.delete(watchlistId),
  listKeys: () => allOf(tdf.keys.list()),
  createKey: () => tdf.keys.create({ name: "Usage", scopes: ["usage:read"], expires_in_days: 1 }),
  rotateKey: () => tdf.keys.rotate(keyId, { grace_seconds: 0 }),
  revokeKey: () => tdf.keys.revoke(keyId),
  requestRemoval: () => tdf.requestRemoval({ usdot: "4400001" }),
};

it.each(Object.entries(CALLS))("%s has a call, which the service answers", async (id, call) => {
  const { method, path } = operationTable[id as OperationId];
  sent = [];
  await call();
  expect(sent).toHaveLength(1);
  const form = path.replaceAll(/\{\w+\}/g, "[^/]+");
  expect(sent[0]).toMatch(new RegExp(`^${method.toUpperCase()} ${form}$`));
});
