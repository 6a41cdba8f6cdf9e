import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import type { EventType } from "../../../../../src/events/event-types.ts";
import type { Dispatcher } from "../../../../../src/webhooks/dispatch/dispatcher.ts";
import { fanOut } from "../../../../../src/webhooks/queue/fan-out.ts";
import { expectGoodLooks, sendForm, signedInCustomer } from "../../../../support/dashboard.ts";
import { putEvents } from "../../../../support/events/events.ts";
import { openBrowser } from "../../../../support/network/browser.ts";
import { putChanges } from "../../../../support/registry/recorded-changes.ts";
import { changeRows, putRows, removeRows } from "../../../../support/rows.ts";
import { startTestService, type TestService } from "../../../../support/service.ts";
import { attemptsOf, deliveriesOf, putDelivery } from "../../../../support/webhooks/deliveries.ts";
import {
  LOOPBACK_ENV,
  quieten,
  startTestDispatcher,
  until,
  untilIdle,
} from "../../../../support/webhooks/dispatching.ts";
import { registerEndpoint } from "../../../../support/webhooks/endpoints.ts";
import { type Receiver, startReceiver } from "../../../../support/webhooks/receiver.ts";

// A browser on a busy machine takes its time.
vi.setConfig({ testTimeout: 300_000 });

const browser: Browser | null = await openBrowser();
let service: TestService;
let receiver: Receiver;
let page: Page;
let accountId: number;
let key: string;
let dispatcher: Dispatcher | undefined;

beforeAll(async () => {
  service = await startTestService({
    env: { ...LOOPBACK_ENV, WEBHOOK_RETRY_SECONDS: "90,120,7200,100000" },
  });
  receiver = await startReceiver();
  if (browser === null) return;
  const feeds = { us_brokers: null };
  ({ page, accountId, key } = await signedInCustomer(browser, service, {
    email: "o@freight.example",
    feeds,
  }));
});
beforeEach(async () => {
  await quieten(service.context);
  receiver.received.length = 0;
  receiver.answerWith(() => 204);
  return async () => {
    await dispatcher?.stop();
    dispatcher = undefined;
  };
});
afterAll(async () => {
  await browser?.close();
  await receiver.close();
  await service.stop();
});

/** Registers an endpoint for reinstated and inactive; gives its id. */
async function registered(path: string): Promise<number> {
  const asked = {
    url: receiver.url + path,
    event_types: ["reinstated", "authority_inactive"] as EventType[],
  };
  return (await registerEndpoint(service.context, accountId, asked)).id;
}

/** Does so in the browser. */
async function register(path: string): Promise<number> {
  await page.goto("/dashboard/webhooks");
  await page.getByLabel("Address").fill(receiver.url + path);
  await page.getByLabel("New authority granted").uncheck();
  await page.getByRole("button", { name: "Register" }).click();
  await page.getByRole("heading", { name: "Your new endpoint" }).waitFor();
  const newest = await service.context.db.prisma.webhookEndpoint.findFirst({ orderBy: { id: "desc" } });
  return newest?.id ?? 0;
}

const rowOf = (id: number) => service.context.db.prisma.webhookEndpoint.findUnique({ where: { id } });

const queueEvent = async (type: "reinstated" | "authority_inactive") => {
  await putEvents(service.context.db, [{ type, usdot: 11, detectedAt: service.clock.now().toISOString() }]);
  await fanOut(service.context);
};

describe.skipIf(browser === null)("loading a page again", () => {
  it("registers no second endpoint, and shows neither secret a second time", async () => {
    const id = await register("/once");
    const secret = (await page.locator("#secret").textContent()) ?? "";
    expect(page.url()).not.toContain(secret.slice(10));
    const count = () => service.context.db.prisma.webhookEndpoint.count({ where: { accountId } });
    const before = await count();
    await page.reload();
    expect(await count()).toBe(before);
    expect(await page.content()).not.toContain(secret);
    await page.getByText("The new secret was already shown once.").waitFor();

    await page.goto(`/dashboard/webhooks/${id}/rotate`);
    await page.getByRole("button", { name: "Rotate the secret" }).click();
    const fresh = (await page.locator("#secret").textContent()) ?? "";
    const { secretPrefix } = (await rowOf(id)) ?? {};
    expect(fresh.startsWith(secretPrefix ?? "none")).toBe(true);
    expect((await rowOf(id))?.previousSecretUntil).toBeNull();
    await page.reload();
    expect((await rowOf(id))?.secretPrefix).toBe(secretPrefix);
    expect(await page.content()).not.toContain(fresh);
  });

  it("rotates with an overlap, and shows how long the old secret is used", async () => {
    const id = await registered("/overlap");
    await page.goto(`/dashboard/webhooks/${id}/rotate`);
    await page.getByLabel("Sign with the old secret too").selectOption("for an hour");
    await page.getByRole("button", { name: "Rotate the secret" }).click();
    await page.getByText("Deliveries are also signed with the old secret until").waitFor();
    const until = (await rowOf(id))?.previousSecretUntil;
    expect(until?.getTime()).toBe(service.clock.now().getTime() + 3_600_000);
    await page.goto(`/dashboard/webhooks/${id}/edit`);
    await page.getByText("Also signed with the old secret until").waitFor();
    expect((await sendForm(page, `/webhooks/${id}/rotate`, { overlap: "7" })).status()).toBe(422);
  });

  it("ends no secret of an overlap that the page did not show", async () => {
    const id = await registered("/stale");
    await page.goto(`/dashboard/webhooks/${id}/rotate`);
    const shown = { overlap: "3600", secret_mark: (await rowOf(id))?.secretPrefix ?? "" };
    expect(await page.locator("input[name=secret_mark]").inputValue()).toBe(shown.secret_mark);
    expect((await sendForm(page, `/webhooks/${id}/rotate`, shown)).status()).toBe(303);
    const { secretPrefix, previousSecretUntil } = (await rowOf(id)) ?? {};
    const refused = await sendForm(page, `/webhooks/${id}/rotate`, shown);
    expect(refused.status()).toBe(409);
    expect(await refused.text()).toContain("The secret was rotated since this page was loaded");
    expect(await rowOf(id)).toMatchObject({ secretPrefix, previousSecretUntil });
    await page.reload();
    await page.getByRole("button", { name: "Rotate the secret" }).click();
    await page.getByRole("heading", { name: "The new secret" }).waitFor();
    expect((await rowOf(id))?.previousSecretUntil).toBeNull();
  });

  it("ends no newer secret, although no other works beside it", async () => {
    const id = await registered("/stale-at-once");
    const form = { overlap: "0", secret_mark: (await rowOf(id))?.secretPrefix ?? "" };
    expect((await sendForm(page, `/webhooks/${id}/rotate`, form)).status()).toBe(303);
    const { secretPrefix } = (await rowOf(id)) ?? {};
    const refused = await sendForm(page, `/webhooks/${id}/rotate`, form);
    expect(refused.status()).toBe(409);
    const text = await refused.text();
    expect(text).toContain("The secret was rotated since this page was loaded");
    expect(text).not.toContain("still works");
    expect((await rowOf(id))?.secretPrefix).toBe(secretPrefix);
  });

  it("gives a secret to the session it was made in and to no other", async () => {
    // Of secrets that other tests made and did not look at.
    await removeRows(service.context.db.pool, "dashboard_note");
    const answer = await sendForm(page, "/webhooks", {
      url: `${receiver.url}/note`,
      event_types: "reinstated",
    });
    const place = answer.headers().location ?? "";
    const other = await signedInCustomer(browser as Browser, service, { email: "other@freight.example" });
    expect(await (await other.page.request.get(place)).text()).not.toContain("whsec_");
    const stored = await service.context.db.pool.query<{ text: string }>(
      "SELECT encode(sealed, 'escape') AS text FROM dashboard_note",
    );
    expect(stored.rows).toHaveLength(1);
    expect(stored.rows[0]?.text).not.toContain("whsec_");
    // Too late: what was not looked at is forgotten.
    service.clock.advance(5 * 60_000);
    expect(await (await page.request.get(place)).text()).not.toMatch(/whsec_\w{20}/);
  });

  it("sends no range twice", async () => {
    const id = await registered("/range");
    service.clock.advance(60_000);
    await queueEvent("reinstated");
    dispatcher = startTestDispatcher(service.context);
    await receiver.arrival(1);
    await untilIdle(service.context);
    service.clock.advance(1_000);
    await page.goto(`/dashboard/webhooks/${id}/replay`);
    await page.getByLabel("Events detected from (UTC)").fill("2026-11-21T00:00");
    await page.getByLabel("up to (UTC)").fill("2026-11-22T00:00");
    await page.getByLabel("also send delivered events again").check();
    await page.getByRole("button", { name: "Count them" }).click();
    await page.getByRole("button", { name: "Send them" }).click();
    await page.getByText("1 delivery is queued and will be sent now.").waitFor();
    await receiver.arrival(2);
    await untilIdle(service.context);
    service.clock.advance(1_000);
    await page.reload();
    await page.getByRole("button", { name: "Send them" }).waitFor();
    await untilIdle(service.context);
    expect(receiver.received).toHaveLength(2);
  });
});

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
    dispatcher = startTestDispatcher(service.context);
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

describe.skipIf(browser === null)("deleting an endpoint", () => {
  it("asks first, cancels what is queued, tests too, and leaves nothing to be found", async () => {
    const id = await registered("/gone");
    await queueEvent("reinstated");
    await page.goto(`/dashboard/webhooks/${id}`);
    await page.getByRole("button", { name: "Send a test delivery" }).click();
    const testId = /deliveries\/(\d+)/.exec(page.url())?.[1];
    await page.goto(`/dashboard/webhooks/${id}`);
    await page.getByRole("link", { name: "Settings" }).click();
    await page.getByRole("link", { name: "Delete" }).click();
    await page.getByRole("link", { name: "Cancel" }).click();
    await page.getByRole("heading", { name: `Endpoint ${id}` }).waitFor();
    await page.getByRole("link", { name: "Delete" }).click();
    await page.getByRole("button", { name: "Delete the endpoint" }).click();
    await page.getByRole("heading", { name: "Your endpoints" }).waitFor();
    await page.getByText("The endpoint was deleted.").waitFor();
    expect(await page.content()).not.toContain(`${receiver.url}/gone`);
    expect(await deliveriesOf(service.context, id)).toMatchObject([
      { status: "cancelled", cancel_reason: "deleted" },
      { status: "cancelled", cancel_reason: "deleted" },
    ]);
    expect((await rowOf(id))?.secretSealed).toHaveLength(0);
    dispatcher = startTestDispatcher(service.context);
    await queueEvent("reinstated");
    await untilIdle(service.context);
    expect(receiver.received.filter(({ path }) => path === "/gone")).toEqual([]);

    const listed = (await (await service.get("/v1/webhooks", key)).json()) as { data: { id: number }[] };
    expect(listed.data.map((each) => each.id)).not.toContain(id);
    for (const [method, path] of [
      ["DELETE", `/v1/webhooks/${id}`],
      ["POST", `/v1/webhooks/${id}/test`],
      ["POST", `/v1/webhooks/${id}/rotate`],
    ] as const) {
      const { status } = await service.send(method, path, { key });
      expect({ path, status }).toEqual({ path, status: 404 });
    }
    const found = ["", "/edit", "/delete", "/rotate", "/replay", `/deliveries/${testId}`];
    for (const path of found) {
      const answer = await page.request.get(`/dashboard/webhooks/${id}${path}`);
      expect({ path, status: answer.status() }).toEqual({ path, status: 404 });
    }
    const form = { from: "2026-11-21T00:00", to: "2026-11-22T00:00" };
    for (const path of [
      "edit",
      "delete",
      "pause",
      "enable",
      "test",
      "replay",
      `deliveries/${testId}/resend`,
    ]) {
      const answer = await sendForm(page, `/webhooks/${id}/${path}`, {
        ...form,
        url: `${receiver.url}/gone`,
        event_types: "reinstated",
      });
      expect({ path, status: answer.status() }).toEqual({ path, status: 404 });
    }
  });

  it("cancels also what was queued at the same moment, and does not try again what is in flight", async () => {
    const id = await registered("/flying");
    const { promise: isAnswered, resolve: answer } = Promise.withResolvers<number>();
    receiver.answerWith(() => isAnswered);
    await queueEvent("reinstated");
    dispatcher = startTestDispatcher(service.context);
    await receiver.arrival(1);
    await sendForm(page, `/webhooks/${id}/delete`);
    // As a fan-out that had read the endpoint just before.
    const lateId = await putDelivery(service.context, { endpointId: id });
    const lateTestId = await putDelivery(service.context, { endpointId: id, eventId: 999_998, isTest: true });
    answer(500);
    await until(async () =>
      (await deliveriesOf(service.context, id)).every(({ status }) => status === "cancelled"),
    );
    const ids = (await deliveriesOf(service.context, id)).map((each) => each.id);
    expect(ids).toEqual(expect.arrayContaining([lateId, lateTestId]));
    expect(receiver.received).toHaveLength(1);
  });

  it("erases the rows ten minutes later", async () => {
    const id = await registered("/erased");
    await queueEvent("reinstated");
    dispatcher = startTestDispatcher(service.context);
    await receiver.arrival(1);
    await untilIdle(service.context);
    const [delivery] = await deliveriesOf(service.context, id);
    await sendForm(page, `/webhooks/${id}/delete`);
    expect(await attemptsOf(service.context, delivery?.id ?? 0)).toHaveLength(1);
    service.clock.advance(10 * 60_000);
    await until(async () => (await rowOf(id)) === null);
    expect(await deliveriesOf(service.context, id)).toEqual([]);
    expect(await attemptsOf(service.context, delivery?.id ?? 0)).toEqual([]);
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
    dispatcher = startTestDispatcher(service.context);
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
