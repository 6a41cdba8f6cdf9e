import { describe, expect, it } from "vitest";
import { fanOut } from "../../../../../src/webhooks/queue/fan-out.ts";
import { expectGoodLooks, sendForm } from "../../../../support/dashboard.ts";
import { putEvents } from "../../../../support/events/events.ts";
import { putChanges } from "../../../../support/registry/recorded-changes.ts";
import { changeRows, putRows } from "../../../../support/rows.ts";
import { deliveriesOf, putDelivery } from "../../../../support/webhooks/deliveries.ts";
import { untilIdle } from "../../../../support/webhooks/dispatching.ts";
import {
  browser,
  dispatch,
  key,
  page,
  queueEvent,
  receiver,
  registered,
  rowOf,
  service,
  useChangedEndpoints,
} from "./changed-endpoints.ts";

await useChangedEndpoints();

describe.skipIf(browser === null)("editing an endpoint", () => {
  it("changes address, note and types; what is queued goes to the new address, of a dropped type nothing", async () => {
    const id = await registered("/wrong");
    await service.context.db.prisma.webhookEndpoint.update({ where: { id }, data: { failureStreak: 7 } });
    await queueEvent("reinstated");
    await queueEvent("authority_inactive");
    const [reinstated, inactive] = await deliveriesOf(service.context, id);
    await page.goto(`/dashboard/webhooks/${id}`);
    await page.getByRole("link", { name: "Settings" }).click();
    expect(await page.getByLabel("Address").inputValue()).toBe(`${receiver.url}/wrong`);
    expect(await page.getByLabel("New authority granted").isChecked()).toBe(false);
    await page.getByLabel("Address").fill(`${receiver.url}/right`);
    await page.getByLabel("Your own note").fill("Berlin");
    await page.getByLabel("Inactive or withdrawn").uncheck();
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("heading", { name: `Endpoint ${id}` }).waitFor();
    await page.getByText("Berlin").waitFor();
    await page.getByText("The endpoint was saved.").waitFor();
    expect(await rowOf(id)).toMatchObject({ failureStreak: 0, eventTypes: ["reinstated"] });
    // As a fan-out that had read the endpoint just before.
    const [late = 0] = await putEvents(service.context.db, [{ type: "authority_inactive", usdot: 12 }]);
    await putDelivery(service.context, { endpointId: id, eventId: late });
    await changeRows(
      service.context.db.pool,
      "webhook_delivery",
      { event_type: "authority_inactive" },
      { event_id: late },
    );
    dispatch();
    await receiver.arrival(1);
    await untilIdle(service.context);
    expect(receiver.received.map(({ path }) => path)).toEqual(["/right"]);
    expect(await deliveriesOf(service.context, id)).toMatchObject([
      { id: reinstated?.id, status: "delivered" },
      { id: inactive?.id, status: "cancelled", cancel_reason: "unsubscribed" },
      { event_id: late, status: "cancelled", cancel_reason: "unsubscribed" },
    ]);
    await page.goto(`/dashboard/webhooks/${id}/deliveries/${inactive?.id}`);
    await page.getByText("its event type was removed from the endpoint").waitFor();
    await page.getByRole("button", { name: "Send it again" }).click();
    expect(await page.getByRole("alert").textContent()).toContain("Add the type to the endpoint");
  });

  it("limits an endpoint to some events and changes the content, and takes both back", async () => {
    const id = await registered("/some");
    for (const name of ["Clients", "Rivals"]) {
      await service.send("POST", "/v1/watchlists", { key, body: { name } });
    }
    const lists = await service.context.db.prisma.watchlist.findMany({ orderBy: { id: "asc" } });
    await page.goto(`/dashboard/webhooks/${id}/edit`);
    await page.getByLabel("States").fill("tx, OK");
    await page.getByLabel("Trucks, at most").fill("20");
    await page.getByLabel("USDOT numbers").fill("4312907\n4312908");
    await page.getByLabel("broker", { exact: true }).check();
    await page.getByLabel("Rivals").check();
    await page.getByLabel("Content").selectOption("thin");
    await page.getByLabel("Retry-After").check();
    await page.getByLabel("Send changes of your watched carriers").check();
    await page.getByRole("button", { name: "Save" }).click();
    await page
      .getByText(
        "events in TX, OK; of 2 USDOT numbers; of carriers on the watchlist Rivals; of authority as broker; of at most 20 trucks",
      )
      .waitFor();
    await page.getByRole("definition").filter({ hasText: "ids only, to read the event by API" }).waitFor();
    expect(await rowOf(id)).toMatchObject({
      filterStates: ["TX", "OK"],
      filterUsdots: [4_312_907, 4_312_908],
      filterAuthorityTypes: ["broker"],
      filterWatchlists: [lists[1]?.id],
      trucksMin: null,
      trucksMax: 20,
      payload: "thin",
      honorRetryAfter: true,
      changes: true,
    });
    expect(await page.getByLabel("Retry-After").isChecked()).toBe(true);
    expect(await page.getByLabel("States").inputValue()).toBe("TX, OK");
    await service.send("DELETE", `/v1/watchlists/${lists[1]?.id}`, { key });
    await page.reload();
    expect(await page.getByLabel(`the deleted watchlist ${lists[1]?.id}`).isChecked()).toBe(true);
    expect(await page.getByLabel("Clients").isChecked()).toBe(false);
    expect(await page.getByLabel("Trucks, at most").inputValue()).toBe("20");
    const url = `${receiver.url}/some`;
    const refused: Record<string, string>[] = [
      { states: "Texas" },
      { states: "ZZ" },
      { usdots: "MC1" },
      { trucks_min: "-1" },
      { trucks_min: "3", trucks_max: "2" },
      { authority_types: "passenger" },
      { watchlist_ids: "one" },
      { watchlist_ids: "99999999" },
      { payload: "fat" },
    ];
    for (const form of refused) {
      const answer = await sendForm(page, `/webhooks/${id}/edit`, {
        url,
        event_types: "reinstated",
        ...form,
      });
      expect([form, answer.status()]).toEqual([form, 422]);
    }
    await sendForm(page, `/webhooks/${id}/edit`, { url, event_types: "reinstated", payload: "full" });
    expect(await rowOf(id)).toMatchObject({
      filterStates: [],
      filterUsdots: [],
      trucksMax: null,
      payload: "full",
      honorRetryAfter: false,
      changes: false,
    });
  });

  it("refuses what registering refuses, keeping what was typed", async () => {
    const id = await registered("/kept");
    const before = await rowOf(id);
    await page.goto(`/dashboard/webhooks/${id}/edit`);
    await page.getByLabel("Address").fill("https://10.0.0.1/hooks");
    await page.getByRole("button", { name: "Save" }).click();
    expect(await page.getByRole("alert").textContent()).toMatch(/public/);
    expect(await page.getByLabel("Address").inputValue()).toBe("https://10.0.0.1/hooks");
    const url = `${receiver.url}/kept`;
    const refused: [Record<string, string>, number][] = [
      [{ url: "http://hooks.example.com/in", event_types: "reinstated" }, 422],
      [{ url, event_types: "revocation_pending" }, 400],
      [{ url, event_types: "nothing" }, 400],
      [{ url }, 422],
      [{ url: "", event_types: "reinstated" }, 422],
      [{ url, event_types: "reinstated", description: "x".repeat(121) }, 422],
      [{ url, event_types: "reinstated", description: "two\nlines" }, 422],
    ];
    for (const [form, status] of refused) {
      const answer = await sendForm(page, `/webhooks/${id}/edit`, form);
      expect({ form, status: answer.status() }).toEqual({ form, status });
    }
    expect(await rowOf(id)).toEqual(before);
  });

  it("keeps an event type that the plan has lost, until it is taken out, and adds it no more", async () => {
    const id = await registered("/plan");
    const eventTypes = ["reinstated", "revocation_pending"];
    await service.context.db.prisma.webhookEndpoint.update({ where: { id }, data: { eventTypes } });
    await page.goto(`/dashboard/webhooks/${id}/edit`);
    await page.getByLabel("Your own note").fill("still both");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("still both").waitFor();
    expect((await rowOf(id))?.eventTypes.toSorted()).toEqual(eventTypes);
    await page.goto(`/dashboard/webhooks/${id}/edit`);
    await page.getByLabel("Revocation pending").uncheck();
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("heading", { name: `Endpoint ${id}` }).waitFor();
    expect((await rowOf(id))?.eventTypes).toEqual(["reinstated"]);
    await page.goto(`/dashboard/webhooks/${id}/edit`);
    expect(await page.getByLabel("Revocation pending").count()).toBe(0);
  });
});

describe.skipIf(browser === null)("a delivery of a change", () => {
  it("is listed among others, and told as a sentence", async () => {
    const { db } = service.context;
    const id = await registered("/change");
    await putRows(db.pool, "authority", { usdot: 101, docket: "MC101", registry_state: "TX" });
    const made = await service.send("POST", "/v1/watchlists", { key, body: { name: "Of one" } });
    const { id: list } = (await made.json()) as { id: number };
    await service.send("POST", `/v1/watchlists/${list}/carriers`, { key, body: { usdots: ["101"] } });
    await service.send("PATCH", `/v1/webhooks/${id}`, { key, body: { changes: true } });
    const [changeId] = await putChanges(db, [{ usdot: 101 }], service.clock.now());
    await fanOut(service.context);
    await page.goto(`/dashboard/webhooks/${id}?type=carrier_change`);
    await page.getByText(`chg_${changeId}`).waitFor();
    const [delivery] = await deliveriesOf(service.context, id);
    await page.goto(`/dashboard/webhooks/${id}/deliveries/${delivery?.id}`);
    await page.getByText("USDOT number 101: Trucks changed from 3 to 5").waitFor();
    await page.getByText(`Service-Event-Id: chg_${changeId}`).waitFor();
  });
});

describe.skipIf(browser === null)("a delivery that fails", () => {
  const CONFIGURED = "tried again after 90 seconds, 2 minutes, 2 hours and 100,000 seconds";

  it("is said to be tried again when it really is", async () => {
    const id = await registered("/retries");
    for (const path of ["", `/${id}/rotate`]) {
      await page.goto(`/dashboard/webhooks${path}`);
      expect(await page.locator("main").textContent()).toContain(CONFIGURED);
    }
    await queueEvent("reinstated");
    const [delivery] = await deliveriesOf(service.context, id);
    await page.goto(`/dashboard/webhooks/${id}/deliveries/${delivery?.id}`);
    expect(await page.locator("main").textContent()).toContain(CONFIGURED);
  });

  it("shows its body laid out, and the exact bytes below", async () => {
    const id = await registered("/body");
    await queueEvent("reinstated");
    dispatch();
    await receiver.arrival(1);
    await untilIdle(service.context);
    const [delivery] = await deliveriesOf(service.context, id);
    const sent = String(receiver.received.find(({ path }) => path === "/body")?.body);
    await page.goto(`/dashboard/webhooks/${id}/deliveries/${delivery?.id}`);
    const laidOut = JSON.stringify(JSON.parse(sent), null, 2);
    expect(await page.locator("#body-laid-out").textContent()).toBe(laidOut);
    await page.getByText("The exact body, as it is sent").click();
    expect(await page.locator("#body").textContent()).toBe(sent);
    await expectGoodLooks(page, "delivery-body");
  });
});
