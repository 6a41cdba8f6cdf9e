// States of pages that every-page.test.ts does not show: nothing yet, too much, mistakes, long words, stopped and stale.
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { chargeRows } from "../../../src/accounts/usage/quota.ts";
import type { FeedCode } from "../../../src/feeds/catalogue.ts";
import { callerOf, useSevenDays } from "../../support/accounts.ts";
import { customersOf } from "../../support/dashboard.ts";
import { feedRecord, publishFeed } from "../../support/feeds/published-feed.ts";
import { openBrowser } from "../../support/network/browser.ts";
import { expectGoodEverywhere } from "../../support/pages/judge.ts";
import { startTestService, type TestService } from "../../support/service.ts";
import { putManyDeliveries } from "../../support/webhooks/deliveries.ts";
import { registerEndpoint } from "../../support/webhooks/endpoints.ts";

// A browser on a busy machine takes its time.
vi.setConfig({ testTimeout: 120_000 });

const browser: Browser | null = await openBrowser();
let service: TestService;

const FEEDS = { us_brokers: null, us_insurance_lapse_alerts: null };
const LONG_NAME = `${"SOUTHWESTERN TRANSCONTINENTAL REFRIGERATED ".repeat(3)}LOGISTICS`.slice(0, 120);
const LONG_ADDRESS = `https://${"receiver-of-our-subsidiary.".repeat(3)}example.com/${"tenant/".repeat(12)}trucking`;

beforeAll(async () => {
  service = await startTestService({ env: { CONTACT_EMAIL: "sales@feeds.example" } });
  const publish = (code: FeedCode, asOf: string) =>
    publishFeed(service.context.db, code, {
      records: Array.from({ length: 60 }, (_, index) =>
        feedRecord(code, {
          dot_number: String(77 + index),
          company: index === 0 ? LONG_NAME : `CARRIER ${index} LLC`,
          state: index % 3 === 0 ? "TX" : "CA",
        }),
      ),
      asOf,
      now: service.clock.now(),
    });
  await publish("us_brokers", "2026-11-20");
  await publish("us_insurance_lapse_alerts", "2026-11-10");
});
afterAll(async () => {
  await browser?.close();
  await service.stop();
});

const customer = customersOf(browser, () => service, { feeds: FEEDS, rowsPerMonth: 50_000 });

/** Opens pages of the dashboard, one after the other, which must say this, and judges each. */
async function judgeAll(page: Page, name: string, pages: readonly (readonly [path: string, text: RegExp])[]) {
  for (const [path, text] of pages) {
    await page.goto(`/dashboard${path}`);
    await page.locator("main").getByText(text).first().waitFor();
    await expectGoodEverywhere(page, `state ${name} ${path.split("?")[0] || "/"}`);
  }
}

describe.skipIf(browser === null)("pages look good", () => {
  it("while an account is new and empty", async () => {
    const { page, accountId } = await customer("new", {
      feeds: { us_brokers: null, us_revocation_pending: null },
    });
    await service.context.db.prisma.apiKey.deleteMany({ where: { accountId } });
    await judgeAll(page, "empty", [
      ["", /Start here/],
      ["/keys", /no key yet/i],
      ["/feeds/us_revocation_pending", /not live yet/],
    ]);
  });

  it("when there is much", async () => {
    const { page, accountId, keyId } = await customer("full");
    await useSevenDays(service.context, { accountId, keyId }, { rows: 1_234, errors: 2, refused: 1 });
    const { id } = await registerEndpoint(service.context, accountId, {
      url: "https://hooks.example.com/busy",
    });
    await putManyDeliveries(service.context, id, 60);
    await judgeAll(page, "full", [
      [`/webhooks/${id}`, /60 shown|50 shown/],
      ["/feeds/us_brokers", /1 to 50 of 60/],
    ]);
  });

  it("with mistakes and problems", async () => {
    const { page } = await customer("wrong");
    await page.goto("/dashboard/keys");
    await page.getByLabel("What the key is for").fill("Nightly sync");
    await page.getByLabel("Days until it ends").fill("9999");
    await page.getByLabel("Networks that").fill("nowhere, 300.1.1.1");
    await page.getByRole("button", { name: "Make a key" }).click();
    await page.getByText("No key was made").waitFor();
    await expectGoodEverywhere(page, "state error form");
    await judgeAll(page, "error", [
      ["/webhooks/999", /endpoint/i],
      ["/feeds/us_brokers?trucks_min=abc&state=ZZ", /No rows are shown/],
    ]);
  });

  it("with a long name and a long address", async () => {
    expect(LONG_NAME).toHaveLength(120);
    const { page, accountId } = await customer("long", { feeds: { us_brokers: null } });
    const { id } = await registerEndpoint(service.context, accountId, { url: LONG_ADDRESS });
    await judgeAll(page, "long", [
      ["", /…/],
      [`/webhooks/${id}`, /trucking/],
      ["/feeds/us_brokers", /SOUTHWESTERN/],
      ["/carriers/77", /SOUTHWESTERN/],
    ]);
  });

  it.each(["/keys", "/people", "/usage"])("on paper, with long names without a blank: %s", async (path) => {
    const owner = `${"transcontinental.".repeat(3)}dispatch${path.slice(1)}`;
    const { page, accountId, keyId } = await customer(owner);
    await useSevenDays(service.context, { accountId, keyId }, { rows: 1, errors: 0, refused: 0 });
    await service.context.db.prisma.apiKey.update({
      where: { id: keyId },
      data: { name: "nightly_".repeat(12) },
    });
    await page.goto(`/dashboard${path}`);
    await page.emulateMedia({ media: "print" });
    await page.setViewportSize({ width: 700, height: 900 });
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(700);
  });

  it("with a paused endpoint", async () => {
    const { page, accountId } = await customer("paused");
    const { id } = await registerEndpoint(service.context, accountId, {
      url: "https://hooks.example.com/down",
    });
    const data = {
      active: false,
      failureStreak: 20,
      disabledReason: "too_many_failures",
      pausedAt: new Date(),
    };
    await service.context.db.prisma.webhookEndpoint.update({ where: { id }, data });
    await judgeAll(page, "paused", [
      ["/webhooks", /after 20 failed deliveries/],
      [`/webhooks/${id}`, /Enable again/],
    ]);
  });

  it("with the quota used up", async () => {
    const { page, key } = await customer("spent", { rowsPerMonth: 1_000 });
    await chargeRows(service.context, await callerOf(service.context, key), "api", 1_000);
    await judgeAll(page, "used up", [
      ["", /0 left|used up|left: 0/],
      ["/usage", /left: 0/],
    ]);
  });

  it("with data that are stale", async () => {
    const { page } = await customer("stale");
    await judgeAll(page, "stale", [
      ["", /Stale and not served/],
      ["/feeds/us_insurance_lapse_alerts", /not served/],
      ["/carriers/77", /Stale, not served/],
    ]);
  });
});
