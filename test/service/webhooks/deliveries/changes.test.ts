// Deliveries of changes of watched carriers, to endpoints that ask for them.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { fanOutChanges } from "../../../../src/generated/sql/webhooks/queue.ts";
import type { components } from "../../../../src/generated/types.ts";
import type { Dispatcher } from "../../../../src/webhooks/dispatch/dispatcher.ts";
import { fanOut } from "../../../../src/webhooks/queue/fan-out.ts";
import { oldestDueSeconds } from "../../../../src/webhooks/queue/queue-state.ts";
import { openTestContext } from "../../../support/context.ts";
import { setDetection } from "../../../support/events/events.ts";
import { ALL_FEEDS, AMPLE } from "../../../support/feeds/every-feed.ts";
import { type GivenChange, putChanges } from "../../../support/registry/recorded-changes.ts";
import {
  blankContacts,
  removeBusinesses,
  unblankContacts,
  undoRemovals,
} from "../../../support/removals/removals.ts";
import { changeRows, putRows } from "../../../support/rows.ts";
import { startTestService, type TestService } from "../../../support/service.ts";
import {
  isSignedWith,
  LOOPBACK_ENV,
  startTestDispatcher,
  untilIdle,
} from "../../../support/webhooks/dispatching.ts";
import { type Receiver, startReceiver } from "../../../support/webhooks/receiver.ts";

type Schemas = components["schemas"];
type Endpoint = Schemas["WebhookOut"];

let service: TestService;
let receiver: Receiver;
let key: string;
let accountId: number;
let planCode: string;
let dispatcher: Dispatcher | undefined;
/** 101 and 102 in Texas, 103 in Ohio. */
let list: number;

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

async function ask<Answer>(method: string, path: string, body?: object, status = 200): Promise<Answer> {
  const answer = await service.send(method, `/v1/${path}`, { key, body });
  const text = await answer.text();
  expect([answer.status, text]).toEqual([status, text]);
  return (text === "" ? null : JSON.parse(text)) as Answer;
}

async function watch(usdots: readonly string[]): Promise<number> {
  const { id } = await ask<{ id: number }>("POST", "watchlists", { name: "Clients" }, 201);
  await ask("POST", `watchlists/${id}/carriers`, { usdots });
  return id;
}

const register = (more: Partial<Schemas["WebhookIn"]> = {}) =>
  ask<Endpoint>(
    "POST",
    "webhooks",
    { url: `${receiver.url}/in`, event_types: ["reinstated"], changes: true, ...more },
    201,
  );
const put = (...changes: GivenChange[]) => putChanges(service.context.db, changes, service.clock.now());
const deliveriesOf = async ({ id }: Endpoint) =>
  (await ask<Schemas["DeliveriesOut"]>("GET", `webhooks/${id}/deliveries`)).data.reverse();

/** The changes that were queued for an endpoint. */
const queuedFor = async (endpoint: Endpoint) =>
  (await deliveriesOf(endpoint)).map(({ change_id }) => Number(change_id?.slice("chg_".length)));

const outcomesOf = async (endpoint: Endpoint) =>
  (await deliveriesOf(endpoint)).map(({ status, cancel_reason }) => cancel_reason ?? status);

async function send(): Promise<void> {
  dispatcher ??= startTestDispatcher(service.context);
  await untilIdle(service.context);
}

describe("the changes of watched carriers", () => {
  it("arrive signed, as GET /v1/carrier-changes has them, at an endpoint that asks for them", async () => {
    const { db } = service.context;
    await setDetection(db, { finishedAt: service.clock.now().toISOString(), asOf: "2026-11-20" });
    const full = await register();
    const thin = await register({ url: `${receiver.url}/thin`, payload: "thin" });
    const without = await register({ url: `${receiver.url}/without`, changes: false });
    expect([full.changes, without.changes]).toEqual([true, false]);
    const [id = 0] = await put({ usdot: 101 }, { usdot: 104 });
    await send();
    expect(receiver.received.map(({ path }) => path).sort()).toEqual(["/in", "/thin"]);
    const { data } = await ask<Schemas["CarrierChangesOut"]>("GET", "carrier-changes?usdot=101");
    const head = { id: `chg_${id}`, type: "carrier_change", created: service.clock.now().toISOString() };
    const [sent] = receiver.received.filter(({ path }) => path === "/in");
    expect(JSON.parse(sent?.body.toString() ?? "")).toEqual({ ...head, data: { change: data.at(-1) } });
    expect(data.at(-1)).toMatchObject({ id, usdot: "101", field: "power_units", before: "3", after: "5" });
    expect(sent && isSignedWith(full.secret ?? "", sent)).toBe(true);
    expect(sent?.headers).toMatchObject({ "service-event-id": head.id, "webhook-id": head.id });
    const [ids] = receiver.received.filter(({ path }) => path === "/thin");
    const url = `${service.context.config.publicUrl}/v1/carrier-changes?usdot=101`;
    expect(JSON.parse(ids?.body.toString() ?? "")).toEqual({ ...head, data: { changes_url: url } });

    const [delivery] = await deliveriesOf(full);
    const told = { event_id: null, correction_id: null, change_id: head.id, type: "carrier_change" };
    expect(delivery).toMatchObject({ ...told, status: "delivered", is_test: false });
    const path = `webhooks/${full.id}/deliveries`;
    const detail = await ask<Schemas["DeliveryDetailOut"]>("GET", `${path}/${delivery?.delivery_id}`);
    expect(detail).toMatchObject({ ...told, body: sent?.body.toString() });
    expect(detail.attempts[0]?.standard_signature).toBe(sent?.headers["webhook-signature"]);
    const only = await ask<Schemas["DeliveriesOut"]>("GET", `${path}?type=carrier_change`);
    expect(only.data).toHaveLength(1);
    expect((await ask<Schemas["DeliveriesOut"]>("GET", `${path}?type=reinstated`)).data).toEqual([]);
    expect(await deliveriesOf(thin)).toHaveLength(1);

    await ask("POST", `${path}/${delivery?.delivery_id}/resend`, undefined, 202);
    await untilIdle(service.context);
    expect(receiver.received.at(-1)?.body).toEqual(sent?.body);
    expect((await deliveriesOf(full))[0]?.attempts).toHaveLength(2);
  });

  it("are of the filter's lists, carriers and states, and of the plan's", async () => {
    const other = await watch(["102", "104"]);
    const byList = await register({ filters: { watchlist_ids: [other] } });
    const byUsdot = await register({ filters: { usdots: ["103", "104"] } });
    const byState = await register({ filters: { states: ["OH"] } });
    const byTrucks = await register({ filters: { trucks_min: 9, authority_types: ["broker"] } });
    const ids = await put({ usdot: 101 }, { usdot: 102 }, { usdot: 103 }, { usdot: 104 }, { usdot: 105 });
    expect(await fanOut(service.context)).toBe(2 + 2 + 1 + 4);
    const [, second, third, fourth] = ids;
    expect(await queuedFor(byList)).toEqual([second, fourth]);
    expect(await queuedFor(byUsdot)).toEqual([third, fourth]);
    expect(await queuedFor(byState)).toEqual([third]);
    expect(await queuedFor(byTrucks)).toEqual(ids.slice(0, 4));
    await service.context.db.prisma.planFeed.updateMany({
      where: { planCode },
      data: { allRegions: false, regions: ["TX"] },
    });
    await put({ usdot: 102 }, { usdot: 103 });
    expect(await fanOut(service.context)).toBe(2);
    await service.context.db.prisma.plan.update({ where: { code: planCode }, data: { apiAccess: false } });
    await put({ usdot: 102 });
    expect(await fanOut(service.context)).toBe(0);
  });

  it("begin when the endpoint asks for them, or is enabled again", async () => {
    const endpoint = await register({ changes: false });
    const change = (body: object) => ask("PATCH", `webhooks/${endpoint.id}`, body);
    await put({ usdot: 101 });
    await change({ changes: true });
    const [first] = await put({ usdot: 101 });
    await fanOut(service.context);
    await change({ active: false });
    await put({ usdot: 101 });
    await fanOut(service.context);
    await put({ usdot: 101 });
    await change({ active: true, description: "Back" });
    const [second] = await put({ usdot: 102 });
    expect(await oldestDueSeconds(service.context)).toBe(0);
    await fanOut(service.context);
    expect(await queuedFor(endpoint)).toEqual([first, second]);
    expect(await outcomesOf(endpoint)).toEqual(["paused", "queued"]);
  });

  it("are not sent when nobody may see them any more, or the carrier is no longer watched", async () => {
    const { db } = service.context;
    const phone = { category: "contact", field: "phone", before: null, after: "5125550142" };
    const endpoint = await register();
    await put({ usdot: 101 }, { usdot: 102, ...phone }, { usdot: 102 }, { usdot: 103 });
    await fanOut(service.context);
    await removeBusinesses(db, [101]);
    await blankContacts(db, ["5125550142"], new Date());
    await ask("POST", `watchlists/${list}/carriers/remove`, { usdots: ["103"] });
    await send();
    expect(await outcomesOf(endpoint)).toEqual(["removed", "removed", "delivered", "unsubscribed"]);
    const [gone, , , left] = await deliveriesOf(endpoint);
    const path = `webhooks/${endpoint.id}/deliveries`;
    const detail = await ask<Schemas["DeliveryDetailOut"]>("GET", `${path}/${gone?.delivery_id}`);
    expect(detail.body).toBeNull();
    await ask("POST", `${path}/${gone?.delivery_id}/resend`, undefined, 404);
    await put({ usdot: 101 });
    expect(await fanOut(service.context)).toBe(0);
    await undoRemovals(db);
    await unblankContacts(db);
    await ask("POST", `${path}/${gone?.delivery_id}/resend`, undefined, 202);
    await ask("POST", `${path}/${left?.delivery_id}/resend`, undefined, 409);
    await ask("POST", `watchlists/${list}/carriers`, { usdots: ["103"] });
    await ask("POST", `${path}/${left?.delivery_id}/resend`, undefined, 202);
    await send();
    expect(await outcomesOf(endpoint)).toEqual(["delivered", "removed", "delivered", "delivered"]);
  });

  it("of connections arrive with the kind alone, and not when the other business or the value is removed", async () => {
    const { db } = service.context;
    const link = (field: string, other: number, value: string): GivenChange => ({
      usdot: 101,
      category: "connection",
      field,
      before: null,
      after: "now",
      item: { usdot: other, value },
    });
    const endpoint = await register();
    await put(
      link("address", 70_104, "12 SECRET RD 78701"),
      link("policy", 70_105, "FIRSTMUTUAL POL1"),
      link("phone", 70_106, "5125550106"),
    );
    await fanOut(service.context);
    await removeBusinesses(db, [70_105]);
    await blankContacts(db, ["5125550106"], new Date());
    await send();
    expect(await outcomesOf(endpoint)).toEqual(["delivered", "removed", "removed"]);
    const [sent] = receiver.received;
    const body = sent?.body.toString() ?? "";
    const told = { usdot: "101", category: "connection", field: "address", before: null, after: "now" };
    expect(JSON.parse(body)).toMatchObject({ type: "carrier_change", data: { change: told } });
    expect(body).not.toMatch(/SECRET|70104/);
    await undoRemovals(db);
    await unblankContacts(db);
  });

  it("are not sent when the plan lost the state, or the endpoint asks for none any more", async () => {
    const endpoint = await register();
    const other = await register({ filters: { usdots: ["102"] } });
    await put({ usdot: 103 }, { usdot: 102 });
    await fanOut(service.context);
    const regions = { allRegions: false, regions: ["TX"] };
    await service.context.db.prisma.planFeed.updateMany({ where: { planCode }, data: regions });
    await ask("PATCH", `webhooks/${other.id}`, { changes: false });
    await send();
    expect(await outcomesOf(endpoint)).toEqual(["plan_changed", "delivered"]);
    expect(await outcomesOf(other)).toEqual(["unsubscribed"]);
    const [cancelled] = await deliveriesOf(other);
    const path = `webhooks/${other.id}/deliveries/${cancelled?.delivery_id}/resend`;
    await ask("POST", path, undefined, 409);
    const [lost] = await deliveriesOf(endpoint);
    await ask("POST", `webhooks/${endpoint.id}/deliveries/${lost?.delivery_id}/resend`, undefined, 404);
  });

  it("that are queued are cancelled when the endpoint asks for none any more, also when it asks again", async () => {
    const endpoint = await register();
    await put({ usdot: 101 });
    await fanOut(service.context);
    await ask("PATCH", `webhooks/${endpoint.id}`, { changes: false });
    await ask("PATCH", `webhooks/${endpoint.id}`, { changes: true });
    expect(await outcomesOf(endpoint)).toEqual(["unsubscribed"]);
  });

  it("wait for nobody who has not paid for what it watches this month", async () => {
    const endpoint = await register();
    await service.context.db.prisma.watchedMonth.update({
      where: { accountId },
      data: { month: new Date("2026-10-01") },
    });
    const [paid] = await put({ usdot: 101 });
    await fanOut(service.context);
    expect(await queuedFor(endpoint)).toEqual([paid]);
    await service.context.db.prisma.plan.update({ where: { code: planCode }, data: { rowsPerMonth: 1 } });
    await changeRows(service.context.db.pool, "watched_carrier", { month: "2026-10-01" });
    await service.context.db.prisma.watchedMonth.update({
      where: { accountId },
      data: { month: new Date("2026-10-01") },
    });
    await put({ usdot: 101 });
    await fanOut(service.context);
    expect(await queuedFor(endpoint)).toEqual([paid]);
  });

  it("are all queued, in their order, by statements that end early", async () => {
    const endpoints = [await register(), await register(), await register()];
    const ids = await put(...[101, 104, 102, 103, 104, 101].map((usdot) => ({ usdot })));
    const { db, clock } = service.context;
    const steps: number[] = [];
    for (let taken = 1; taken > 0; ) {
      const bounds = { now: clock.now(), month: "2026-11-01", mostChanges: 4, mostDeliveries: 2 };
      const row = await fanOutChanges(db.pool, bounds);
      taken = row?.taken ?? 0;
      steps.push(row?.deliveries ?? 0);
    }
    expect(steps).toEqual([3, 3, 3, 3, 0]);
    for (const endpoint of endpoints)
      expect(await queuedFor(endpoint)).toEqual([ids[0], ids[2], ids[3], ids[5]]);
  });

  it("are queued once for each endpoint, with several processes, while changes are written", async () => {
    const endpoints = await Promise.all(Array.from({ length: 4 }, () => register()));
    const other = await openTestContext(service.context.config.databaseUrl ?? "", service.clock);
    let isWriting = true;
    const fanning = Promise.all(
      [service.context, other].map(async (context) => {
        while (isWriting) await fanOut(context);
      }),
    );
    const ids: number[] = [];
    for (let part = 0; part < 20; part++)
      ids.push(...(await put(...Array.from({ length: 25 }, (_, at) => ({ usdot: 101 + (at % 3) })))));
    isWriting = false;
    await fanning;
    await fanOut(service.context);
    for (const { id } of endpoints) {
      const { rows } = await service.context.db.pool.query<{ change_id: number }>(
        "SELECT change_id FROM webhook_delivery WHERE endpoint_id = $1 ORDER BY id",
        [id],
      );
      expect(rows.map(({ change_id }) => change_id)).toEqual(ids);
    }
    await other.db.close();
  });
});
