import type { Browser } from "playwright-core";
import { describe, expect, it } from "vitest";
import { setPlan } from "../../../../../src/accounts/accounts.ts";
import { fanOut } from "../../../../../src/webhooks/queue/fan-out.ts";
import { setOwner } from "../../../../support/accounts.ts";
import { openDashboard, signIn } from "../../../../support/dashboard.ts";
import { putEvents } from "../../../../support/events/events.ts";
import { renumberList } from "../../../../support/removals/removals.ts";
import { putRows } from "../../../../support/rows.ts";
import {
  accountId,
  browser,
  eventOf,
  page,
  receiver,
  registered,
  reloadUntil,
  service,
  useWebhookPages,
} from "./webhook-pages.ts";

await useWebhookPages();

describe.skipIf(browser === null)("webhooks in the dashboard", () => {
  it("show nothing of a business that was removed, in no stored delivery and not sent again", async () => {
    const { id } = await registered("/fourth");
    service.clock.advance(60_000);
    await putEvents(service.context.db, [eventOf(13)]);
    await fanOut(service.context);
    await page.goto(`/dashboard/webhooks/${id}?status=delivered`);
    await reloadUntil("1 shown");
    await service.context.db.transaction(async (client) => {
      await putRows(client, "suppressed_business", {
        usdot: 13,
        request_id: 1,
        suppressed_at: service.clock.now(),
      });
      await renumberList(client, 1);
    });
    await page.getByRole("region", { name: "Deliveries" }).getByRole("link").first().click();
    await page.getByText("its business was removed on request").waitFor();
    expect(await page.content()).not.toContain("CARRIER 13");
    const before = receiver.received.length;
    await page.getByRole("button", { name: "Send it again" }).click();
    expect(await page.getByRole("alert").textContent()).toContain("removed on request");
    expect(receiver.received).toHaveLength(before);
  });

  it("show nothing of an event that the plan does not include any more, and do not send it again", async () => {
    const { id } = await registered("/fifth");
    service.clock.advance(60_000);
    await putEvents(service.context.db, [eventOf(14)]);
    await fanOut(service.context);
    await page.goto(`/dashboard/webhooks/${id}?status=delivered`);
    await reloadUntil("1 shown");
    const { planCode } = await service.createAccount({ feeds: { us_brokers: ["AK"] } });
    await setPlan(service.context, accountId, planCode);
    await page.getByRole("region", { name: "Deliveries" }).getByRole("link").first().click();
    await page.getByText("the plan does not include it any more").waitFor();
    expect(await page.content()).not.toContain("CARRIER 14");
    const before = receiver.received.length;
    await page.getByRole("button", { name: "Send it again" }).click();
    expect(await page.getByRole("alert").textContent()).toContain("Your plan does not include");
    expect(receiver.received).toHaveLength(before);
  });
});

describe.skipIf(browser === null)("another account's", () => {
  it("keys, endpoints and deliveries are not to be had by changing an id", async () => {
    const { id } = await registered("/fifth");
    await page.goto(`/dashboard/webhooks/${id}`);
    await page.getByRole("button", { name: "Send a test delivery" }).click();
    const deliveryId = Number(/deliveries\/(\d+)/.exec(page.url())?.[1]);
    const key = await service.createKey(accountId);

    const other = await service.createAccount({ feeds: { us_brokers: null } });
    const email = "other@freight.example";
    await setOwner(service.context, other.accountId, email);
    const visit = await openDashboard(browser as Browser, service);
    await signIn(visit.page, service, email);
    const formToken = await visit.page.locator("input[name=form_token]").first().inputValue();
    const missing = 999_999;
    const pages = (endpoint: number, delivery: number, keyId: string) => [
      ["GET", `/webhooks/${endpoint}`],
      ["GET", `/webhooks/${endpoint}/rotate`],
      ["GET", `/webhooks/${endpoint}/edit`],
      ["GET", `/webhooks/${endpoint}/delete`],
      ["GET", `/webhooks/${endpoint}/replay`],
      ["GET", `/webhooks/${endpoint}/deliveries/${delivery}`],
      ["GET", `/keys/${keyId}/revoke`],
      ["POST", `/webhooks/${endpoint}/pause`],
      ["POST", `/webhooks/${endpoint}/enable`],
      ["POST", `/webhooks/${endpoint}/rotate`],
      ["POST", `/webhooks/${endpoint}/edit`],
      ["POST", `/webhooks/${endpoint}/delete`],
      ["POST", `/webhooks/${endpoint}/test`],
      ["POST", `/webhooks/${endpoint}/replay`],
      ["POST", `/webhooks/${endpoint}/deliveries/${delivery}/resend`],
      ["POST", `/keys/${keyId}/revoke`],
    ];
    const answersOf = async (places: string[][]) => {
      const answers: unknown[] = [];
      for (const [method = "", path = ""] of places) {
        const form = { form_token: formToken, from: "2026-11-21T00:00", to: "2026-11-22T00:00" };
        const response = await visit.page.request.fetch(`/dashboard${path}`, {
          method,
          maxRedirects: 0,
          ...(method === "POST" && { form }),
        });
        answers.push({ status: response.status(), body: await response.text() });
      }
      return answers;
    };
    const theirs = await answersOf(pages(id, deliveryId, key.id));
    const none = await answersOf(pages(missing, missing, "AAAAAAAA"));
    expect(theirs).toEqual(none);
    expect(theirs.map((each) => (each as { status: number }).status)).toEqual(theirs.map(() => 404));
    expect((await service.get("/v1/feeds", key.key)).status).toBe(200);
  });
});
