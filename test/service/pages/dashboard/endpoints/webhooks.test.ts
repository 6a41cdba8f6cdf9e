import { describe, expect, it } from "vitest";
import { fanOut } from "../../../../../src/webhooks/queue/fan-out.ts";
import { expectGoodLooks } from "../../../../support/dashboard.ts";
import { putEvents } from "../../../../support/events/events.ts";
import { changeRows, removeRows } from "../../../../support/rows.ts";
import { visitorOf } from "../../../../support/visitor.ts";
import { putManyEvents } from "../../../../support/webhooks/dispatching.ts";
import {
  accountId,
  browser,
  eventOf,
  isGenuine,
  page,
  receiver,
  register,
  registered,
  reloadUntil,
  service,
  useWebhookPages,
} from "./webhook-pages.ts";

await useWebhookPages();

describe.skipIf(browser === null)("webhooks in the dashboard", () => {
  it("are registered, tested by a verified delivery, and shown with exactly what was sent", async () => {
    await page.goto("/dashboard/webhooks");
    await expectGoodLooks(page, "webhooks-none");
    const { id, secret } = await register("/first?token=a&b");
    await expectGoodLooks(page, "webhooks-new");
    await page.goto(`/dashboard/webhooks/${id}`);
    expect(await page.content()).not.toContain(secret);
    await page.getByRole("button", { name: "Send a test delivery" }).click();
    await reloadUntil("204");
    const [sent] = receiver.received.filter(({ path }) => path.startsWith("/first"));
    const signature = String(sent?.headers["service-signature"]);
    expect(isGenuine(signature, sent?.body ?? Buffer.alloc(0), secret)).toBe(true);
    expect(await page.locator("#body").textContent()).toBe(String(sent?.body));
    expect(await page.getByRole("cell", { name: signature }).count()).toBe(1);
  });

  it("are paused and enabled again, and get a new secret when the old one is given up", async () => {
    const { id, secret } = await registered("/second");
    await page.goto(`/dashboard/webhooks/${id}`);
    await page.getByRole("button", { name: "Pause" }).click();
    await page.getByText("paused by you").first().waitFor();
    expect(await page.getByRole("status").textContent()).toContain("The endpoint is paused.");
    await page.getByRole("button", { name: "Enable again" }).click();
    await page.getByText("active", { exact: true }).waitFor();
    expect(await page.getByRole("status").textContent()).toContain("The endpoint is enabled again.");
    await page.getByRole("link", { name: "Settings" }).click();
    await page.getByRole("link", { name: "Rotate the secret" }).click();
    await page.getByRole("button", { name: "Rotate the secret" }).click();
    const fresh = await page.locator("#secret").textContent();
    expect(fresh).toMatch(/^whsec_\w{32,}$/);
    expect(fresh).not.toBe(secret);
  });

  it("send one delivery again under the same ids, and replay a range after telling how many", async () => {
    const { id, secret } = await registered("/third");
    service.clock.advance(60_000);
    await putEvents(service.context.db, [eventOf(11), eventOf(12)]);
    await fanOut(service.context);
    await page.goto(`/dashboard/webhooks/${id}?status=delivered`);
    await reloadUntil("2 shown");
    await page.getByRole("region", { name: "Deliveries" }).getByRole("link").first().click();
    await page.getByRole("button", { name: "Send it again" }).click();
    await reloadUntil("Service-Delivery-Attempt: 2");
    await expectGoodLooks(page, "delivery");
    const sent = receiver.received.filter(({ path }) => path === "/third");
    const again = sent.filter(({ headers }) => headers["service-delivery-attempt"] === "2");
    expect(again).toHaveLength(1);
    expect(sent.filter(({ body }) => body.equals(again[0]?.body ?? Buffer.alloc(0)))).toHaveLength(2);
    for (const { headers, body } of sent) {
      expect(isGenuine(String(headers["service-signature"]), body, secret)).toBe(true);
    }

    // Deliveries that end after a replay began are that replay's own.
    service.clock.advance(1_000);
    await page.goto(`/dashboard/webhooks/${id}`);
    await page.getByRole("link", { name: "Replay" }).click();
    await page.getByLabel("Events detected from (UTC)").fill("2026-11-21T00:00");
    await page.getByLabel("up to (UTC)").fill("2026-11-22T00:00");
    await page.getByLabel("also send delivered events again").check();
    await page.getByRole("button", { name: "Count them" }).click();
    await page.getByText("2 deliveries would be sent").waitFor();
    await expectGoodLooks(page, "replay-count");
    await page.getByRole("button", { name: "Send them" }).click();
    await page.getByText("2 deliveries are queued and will be sent now.").waitFor();
    await page.getByLabel("Events detected from (UTC)").fill("2026-11-22T00:00");
    await page.getByRole("button", { name: "Count them" }).click();
    expect(await page.getByRole("alert").textContent()).toContain("It must be after the first time");
  });

  it("show the deliveries of a status, a type and a time, a hundred at once", async () => {
    const { id } = await registered("/filtered");
    await page.goto(`/dashboard/webhooks/${id}`);
    await page.getByText("No delivery yet").waitFor();
    service.clock.advance(60_000);
    const events = await putEvents(
      service.context.db,
      Array.from({ length: 102 }, (_, place) => eventOf(3_000 + place)),
    );
    await fanOut(service.context);
    await page.getByRole("button", { name: "Send a test delivery" }).click();
    const early = new Date(service.clock.now().getTime() - 7_200_000);
    await changeRows(
      service.context.db.pool,
      "webhook_delivery",
      { created_at: early },
      { endpoint_id: id, event_id: events[0] },
    );
    await page.goto(`/dashboard/webhooks/${id}`);
    await page.getByText("100 shown").waitFor();
    await page.getByRole("link", { name: "Older deliveries" }).click();
    await page.getByText("3 shown").waitFor();
    await page.getByRole("link", { name: "Newest deliveries" }).waitFor();
    expect(await page.getByRole("link", { name: "Older deliveries" }).count()).toBe(0);

    await page.getByRole("link", { name: "Clear" }).click();
    await page.getByLabel("Event type").selectOption("Test delivery");
    await page.getByRole("button", { name: "Show" }).click();
    await page.getByText("1 shown").waitFor();
    await page.getByLabel("Event type").selectOption("Reinstated");
    const minute = (offsetMs: number) => new Date(early.getTime() + offsetMs).toISOString().slice(0, 16);
    await page.getByLabel("Queued from (UTC)").fill(minute(-60_000));
    await page.getByLabel("Queued before (UTC)").fill(minute(60_000));
    await page.getByRole("button", { name: "Show" }).click();
    await page.getByText("1 shown").waitFor();
    await page.getByText(`evt_${events[0]}`).waitFor();
    expect(await page.getByLabel("Queued from (UTC)").inputValue()).toBe(minute(-60_000));
    await page.getByLabel("Status").selectOption("cancelled");
    await page.getByRole("button", { name: "Show" }).click();
    await page.getByText("No delivery matches").waitFor();
    await expectGoodLooks(page, "endpoint-filtered");
  });

  it.each([
    ["status=none", "Status: Choose one"],
    ["type=none", "Event type: Choose one"],
    ["queued_from=yesterday", "Write a time in UTC"],
    ["queued_to=2026-02-30T00:00", "Write a time in UTC"],
    ["queued_from=2026-11-22T00:00&queued_to=2026-11-21T00:00", "must be after the first"],
  ])("say what is wrong with a filter: %s", async (query, sentence) => {
    const { id } = await registered("/wrong");
    const response = await page.request.get(`/dashboard/webhooks/${id}?${query}`);
    expect(response.status()).toBe(400);
    expect(/role="alert">(.*?)<\/div>/s.exec(await response.text())?.[1]).toContain(sentence);
  });

  it("replay a long range in several goes, and none that is longer than a month", async () => {
    const { id } = await registered("/long");
    service.clock.advance(60_000);
    // More than one request looks at, and nothing that this plan is sent.
    const other = { type: "revocation_pending", usdot: 7, detectedAt: "2026-10-01T12:00:00Z" } as const;
    await putManyEvents(service.context, 51_000, other);
    await putEvents(service.context.db, [{ ...eventOf(4_000), detectedAt: "2026-10-01T12:00:01Z" }]);
    const isPassed = async () => {
      const { rows } = await service.context.db.pool.query<{ isPassed: boolean }>(
        `SELECT last_event_id = (SELECT max(id) FROM event) AS "isPassed" FROM webhook_fan_out`,
      );
      return rows[0]?.isPassed;
    };
    while (!(await isPassed())) await fanOut(service.context);
    await removeRows(service.context.db.pool, "webhook_delivery", { endpoint_id: id });
    await page.goto(`/dashboard/webhooks/${id}/replay`);
    const ask = async (from: string, to: string) => {
      await page.getByLabel("Events detected from (UTC)").fill(from);
      await page.getByLabel("up to (UTC)").fill(to);
      await page.getByRole("button", { name: "Count them" }).click();
    };
    await ask("2026-09-01T00:00", "2026-10-03T00:00");
    expect(await page.getByRole("alert").textContent()).toContain("at most 31 days");
    await ask("2026-10-01T00:00", "2026-10-02T00:00");
    await page.getByText("1 delivery would be sent").waitFor();
    await page.getByRole("button", { name: "Send them" }).click();
    await page.getByText("There was nothing to send.").waitFor();
    await expectGoodLooks(page, "replay-rest");
    await page.getByRole("button", { name: "Continue" }).click();
    await page.getByText("1 delivery is queued").waitFor();
    expect(await page.getByRole("button", { name: "Continue" }).count()).toBe(0);
  });

  // Such a year is a date for JavaScript and none for PostgreSQL: the page answered 500.
  it("replay from the beginning when the hidden start of a replay is no time", async () => {
    const { id } = await registered("/start");
    await putEvents(service.context.db, [{ ...eventOf(13), detectedAt: "2026-11-20T12:00:00Z" }]);
    await fanOut(service.context);
    await removeRows(service.context.db.pool, "webhook_delivery", { endpoint_id: id });
    const visitor = await visitorOf(service, accountId);
    const form = { from: "2026-11-20T00:00", to: "2026-11-21T00:00", delivered: "false", after: "0" };
    const sent = await visitor.send(`/webhooks/${id}/replay`, {
      ...form,
      started_at: "-100000-01-01T00:00:00Z",
    });
    expect(sent.status).toBe(200);
    expect(sent.text).toContain("1 delivery is queued");
  });

  it("say why an address cannot be, keeping what was typed", async () => {
    await page.goto("/dashboard/webhooks");
    await page.getByLabel("Address").fill("https://10.0.0.1/hooks");
    await page.getByLabel("Your own note").fill('a "note"');
    await page.getByRole("button", { name: "Register" }).click();
    expect(await page.getByRole("alert").textContent()).toMatch(/public/);
    expect(await page.getByLabel("Address").inputValue()).toBe("https://10.0.0.1/hooks");
    expect(await page.getByLabel("Your own note").inputValue()).toBe('a "note"');
    await expectGoodLooks(page, "webhooks-refused");
  });
});
