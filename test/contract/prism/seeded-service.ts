import { ALL_SCOPES } from "../../../src/accounts/keys/grant.ts";
import { parseKey } from "../../../src/accounts/keys/key-format.ts";
import type { KeyTerms } from "../../../src/accounts/keys/key-terms.ts";
import { revokeKey } from "../../../src/accounts/keys/keys.ts";
import { MOST_KEYS } from "../../../src/accounts/keys/make-key.ts";
import { updateSharedValues } from "../../../src/carriers/connections/shared-values.ts";
import type { FeedCode } from "../../../src/feeds/catalogue.ts";
import { updateNames } from "../../../src/feeds/names/names.ts";
import type { Context } from "../../../src/platform/context.ts";
import { createTestKey } from "../../../src/testmode/test-keys.ts";
import { createList, MOST_LISTS } from "../../../src/watchlists/watchlists.ts";
import { queueTestDelivery } from "../../../src/webhooks/deliveries/test-delivery.ts";
import { createEndpoint } from "../../../src/webhooks/endpoints/create.ts";
import { callerOf } from "../../support/accounts.ts";
import { putEvents, setDetection } from "../../support/events/events.ts";
import { publishFeed } from "../../support/feeds/published-feed.ts";
import { optOut } from "../../support/removals/opt-outs.ts";
import { putRows } from "../../support/rows.ts";
import { startTestService, type TestService } from "../../support/service.ts";
import { putDelivery } from "../../support/webhooks/deliveries.ts";
import type { Sender } from "../cases/contract-cases.ts";
import { USED_KEY } from "../cases/idempotency.ts";
import { SPENT_ADDRESS } from "../cases/removals.ts";
import { keysFrom } from "./deployment.ts";
import { seededEvents } from "./seeded-events.ts";
import { seededRecords } from "./seeded-records.ts";
import type { TargetFacts } from "./send-case.ts";

const AS_OF = "2026-11-20";
/** Too long before the service's clock, 2026-11-21. */
const STALE_AS_OF = "2026-11-10";
const STALE_DOT = 4_500_000;
const DOT = "4300001";

/** The published feeds: us_revocation_pending is not published, and the insurance alerts are too old to be served. */
export const SEEDED = {
  us_new_authority_weekly: seededRecords("us_new_authority_weekly", AS_OF, 4_300_000),
  // The same carriers as above, some of them.
  us_small_carriers_active: seededRecords("us_small_carriers_active", AS_OF, 4_300_000),
  us_brokers: seededRecords("us_brokers", AS_OF, 4_400_000),
  us_insurance_lapse_alerts: seededRecords("us_insurance_lapse_alerts", STALE_AS_OF, STALE_DOT),
} satisfies Partial<Record<FeedCode, unknown>>;

const EVERY_FEED = {
  ...Object.fromEntries(Object.keys(SEEDED).map((code) => [code, null])),
  us_revocation_pending: null,
};

export interface SeededService {
  url: string;
  context: Context;
  keys: Record<Exclude<Sender, "nobody">, string>;
  facts: TargetFacts;
  stop(): Promise<void>;
}

/** The real service with a few records in each feed, and an account for each kind of sender. */
export async function startSeededService(): Promise<SeededService> {
  const service = await startTestService({
    hasTestMode: true,
    env: { TRUST_PROXY_HOPS: "1", OPT_OUT_PER_MINUTE: "1" },
  });
  const versions = new Map<string, number>();
  for (const [code, records] of Object.entries(SEEDED)) {
    const asOf = code === "us_insurance_lapse_alerts" ? STALE_AS_OF : AS_OF;
    const version = { records, asOf, now: service.clock.now() };
    versions.set(code, await publishFeed(service.context.db, code as FeedCode, version));
  }
  // Two feeds have the same carriers.
  const seeded = new Map(
    Object.values(SEEDED)
      .flat()
      .map((record) => [record.dot_number, record]),
  ).values();
  await putRows(
    service.context.db.pool,
    "authority",
    ...seeded.map(({ dot_number, docket_number, company }) => ({
      usdot: Number(dot_number),
      docket: docket_number,
      // A search that finds a carrier of stale data is refused.
      registry_name: Number(dot_number) < STALE_DOT ? company : null,
    })),
  );
  // The carrier that cases ask about has an entry in its timeline, is no natural person, and one business is connected with it.
  await putRows(service.context.db.pool, "oos_order", { usdot: Number(DOT), ordered_on: "2026-11-01" });
  const { company = "" } = SEEDED.us_small_carriers_active.find(({ dot_number }) => dot_number === DOT) ?? {};
  await putRows(
    service.context.db.pool,
    "census",
    ...[Number(DOT), 1].map((usdot) => ({
      usdot,
      legal_name: company,
      phone: "5125550142",
      is_individual: false,
    })),
  );
  await updateNames(service.context);
  await updateSharedValues(service.context);
  const [eventId = 0] = await putEvents(service.context.db, seededEvents());
  await setDetection(service.context.db, { finishedAt: "2026-11-20T11:20:06Z", asOf: AS_OF });
  const keys = await openSenders(service);
  const events = await service.get("/v1/events?limit=3", keys.customer);
  const { meta } = (await events.json()) as { meta: { resume_cursor: string } };
  const [endpoint = 0, testedEndpoint = 0] = await registerEndpoints(service, keys.customer, 2);
  const { accountId } = await callerOf(service.context, keys.customer);
  const watchlists: Partial<Record<Sender, number>> & { customer: number } = {
    customer: await openList(service, keys.customer),
    spent_quota: await openList(service, keys.spent_quota),
    full_account: await openList(service, keys.full_account),
    plan_without_watching: await openList(service, keys.plan_without_watching),
  };
  for (let made = 1; made < MOST_LISTS; made++) await openList(service, keys.full_account);
  const keyed = { key: keys.customer, headers: { "Idempotency-Key": USED_KEY } };
  await service.send("POST", `/v1/webhooks/${testedEndpoint}/test`, keyed);
  for (let sent = 1; sent < 6; sent++) await queueTestDelivery(service.context, accountId, testedEndpoint);
  const delivery = await putDelivery(service.context, { endpointId: endpoint, eventId, status: "failed" });
  await optOut(service.url, { usdot: "99999998" }, SPENT_ADDRESS);
  // The number is that of the service, as long as all feeds have the same removals and states.
  const count = await service.get("/v1/feeds/us_brokers/count", keys.customer);
  const {
    meta: { checkpoint },
  } = (await count.json()) as { meta: { checkpoint: { removals: number } } };
  return {
    url: service.url,
    context: service.context,
    keys,
    stop: service.stop,
    facts: {
      keyOf: (sender) => (sender === "nobody" ? undefined : keys[sender]),
      dot: DOT,
      staleDot: String(STALE_DOT),
      staleDocket: `MC${STALE_DOT}`,
      eventType: "reinstated",
      cursor: meta.resume_cursor,
      event: eventId,
      endpoint,
      delivery,
      testedEndpoint,
      watchlistOf: (sender) => watchlists[sender] ?? watchlists.customer,
      ownKey: (await service.createKey(accountId)).id,
      endedKey: parseKey(keys.revoked_key)?.id ?? "",
      versionOf: (feed) => versions.get(feed) ?? 0,
      removalsOf: () => checkpoint.removals,
    },
  };
}

async function openList(service: TestService, key: string): Promise<number> {
  const { accountId } = await callerOf(service.context, key);
  return (await createList(service.context, accountId, { name: "Prospects" })).id;
}

async function registerEndpoints(service: TestService, key: string, count: number): Promise<number[]> {
  const caller = await callerOf(service.context, key);
  const asked = { url: "https://hooks.example.com/trucking", event_types: ["reinstated" as const] };
  const ids: number[] = [];
  while (ids.length < count) ids.push((await createEndpoint(service.context, caller, asked)).id);
  return ids;
}

async function openSenders(service: TestService): Promise<SeededService["keys"]> {
  const plan = { feeds: EVERY_FEED, requestsPerMinute: 10_000, rowsPerMonth: 1_000_000, scopes: ALL_SCOPES };
  const keyOf = async (change: object = {}) => (await service.createAccount({ ...plan, ...change })).key;
  const customer = await service.createAccount(plan);
  const keyWith = async (terms: Partial<KeyTerms>) =>
    (await service.createKey(customer.accountId, terms)).key;
  const revoked = await service.createKey(customer.accountId);
  await revokeKey(service.context, revoked.id);
  const spentMinute = await keyOf({ requestsPerMinute: 1 });
  // The clock does not move, so the minute stays used up.
  await (await service.get("/v1/usage", spentMinute)).arrayBuffer();
  const fullAccount = await keyOf();
  const { accountId: fullId } = await callerOf(service.context, fullAccount);
  for (let made = 1; made < MOST_KEYS; made++) await service.createKey(fullId);
  await registerEndpoints(service, fullAccount, 20);
  const { malformed_key = "", wrong_key = "" } = keysFrom(customer.key);
  return {
    customer: customer.key,
    malformed_key,
    wrong_key,
    revoked_key: revoked.key,
    expired_key: await keyWith({ expiresAt: service.clock.now() }),
    usage_key: await keyWith({ scopes: ["usage:read"] }),
    feeds_key: await keyWith({ scopes: ["feeds:read"] }),
    narrow_manager: await keyWith({ scopes: ["keys:write"] }),
    key_of_another_network: await keyWith({ networks: ["192.0.2.0/24"] }),
    spent_minute: spentMinute,
    tester: (await createTestKey(service.context, customer.accountId, "Tests")).key,
    plan_without_api: await keyOf({ apiAccess: false }),
    plan_of_brokers_in_texas: await keyOf({ feeds: { us_brokers: ["TX"] } }),
    plan_without_watching: await keyOf({ watchedCarriers: 0 }),
    spent_quota: await keyOf({ rowsPerMonth: 0 }),
    full_account: fullAccount,
  };
}
