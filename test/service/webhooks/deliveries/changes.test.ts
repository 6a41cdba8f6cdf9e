// Deliveries of changes of watched carriers, to endpoints that ask for them.
import { describe, expect, it } from "vitest";
import { fanOut } from "../../../../src/webhooks/queue/fan-out.ts";
import { oldestDueSeconds } from "../../../../src/webhooks/queue/queue-state.ts";
import { setDetection } from "../../../support/events/events.ts";
import type { GivenChange } from "../../../support/registry/recorded-changes.ts";
import {
  blankContacts,
  removeBusinesses,
  unblankContacts,
  undoRemovals,
} from "../../../support/removals/removals.ts";
import { isSignedWith, untilIdle } from "../../../support/webhooks/dispatching.ts";
import {
  ask,
  deliveriesOf,
  list,
  outcomesOf,
  planCode,
  put,
  queuedFor,
  receiver,
  register,
  type Schemas,
  send,
  service,
  useWatchedCarriers,
  watch,
} from "./watched-changes.ts";

useWatchedCarriers();

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
});
