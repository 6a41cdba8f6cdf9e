// The first line of the overview: red, amber, green or neither, by facts alone.
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { revokeKey } from "../../../../src/accounts/keys/keys.ts";
import { chargeRows } from "../../../../src/accounts/usage/quota.ts";
import { pauseByCustomer } from "../../../../src/webhooks/endpoints/pause-or-delete.ts";
import { callerOf, useSevenDays } from "../../../support/accounts.ts";
import { customersOf, expectGoodLooks } from "../../../support/dashboard.ts";
import { setDetection } from "../../../support/events/events.ts";
import { feedRecord, publishFeed } from "../../../support/feeds/published-feed.ts";
import { openBrowser } from "../../../support/network/browser.ts";
import { changeRows, putRows } from "../../../support/rows.ts";
import { startTestService, type TestService } from "../../../support/service.ts";
import { putDelivery, putResult, putRetry } from "../../../support/webhooks/deliveries.ts";
import { registerEndpoint } from "../../../support/webhooks/endpoints.ts";

// A browser on a busy machine takes its time.
vi.setConfig({ testTimeout: 300_000 });

const browser: Browser | null = await openBrowser();
let service: TestService;

beforeAll(async () => {
  service = await startTestService();
  const { db, clock } = service.context;
  const records = [feedRecord("us_brokers", { dot_number: "77" })];
  await publishFeed(db, "us_brokers", { records, asOf: "2026-11-20", now: clock.now() });
  const lapses = [feedRecord("us_insurance_lapse_alerts", { dot_number: "77" })];
  await publishFeed(db, "us_insurance_lapse_alerts", {
    records: lapses,
    asOf: "2026-11-10",
    now: clock.now(),
  });
  await setDetection(db, { finishedAt: "2026-11-20T11:20:05Z", asOf: "2026-11-20" });
});
afterAll(async () => {
  await browser?.close();
  await service.stop();
});

const customer = customersOf(browser, () => service, { feeds: { us_brokers: null } });

const register = async (accountId: number): Promise<number> =>
  (await registerEndpoint(service.context, accountId, { event_types: ["reinstated"] })).id;

/** A delivery or test that ended like that, a second after what was before. */
async function deliver(endpointId: number, status: string, isTest = false): Promise<number> {
  service.clock.advance(1_000);
  return putDelivery(service.context, {
    endpointId,
    status,
    isTest,
    ...(isTest && { eventId: service.clock.now().getTime() }),
  });
}

const GREEN = { tone: "verdict good", text: "Everything works." };

/** The verdict and the card of endpoints, once the overview is loaded anew. */
async function overview(page: Page) {
  await page.goto("/dashboard");
  const line = page.locator("main .verdict");
  return { tone: await line.getAttribute("class"), text: (await line.textContent())?.trim() };
}

const textOf = async (page: Page): Promise<string> =>
  ((await page.locator("main").textContent()) ?? "").replaceAll(/\s+/g, " ");

describe.skipIf(browser === null)("the verdict is green", () => {
  it("while the newest answers of the receiver are 2xx, and a forecast is no fact", async () => {
    const { page, accountId, keyId } = await customer("green", { rowsPerMonth: 3_000 });
    await useSevenDays(service.context, { accountId, keyId }, { rows: 200 });
    await putRows(service.context.db.pool, "usage_month", {
      account_id: accountId,
      month: "2026-11-01",
      api_rows: 1400,
      quota_rows: 1400,
    });
    expect(await overview(page)).toEqual(GREEN);
    await deliver(await register(accountId), "delivered");
    expect(await overview(page)).toEqual(GREEN);
    expect(await textOf(page)).toMatch(
      /At this pace this month's rows are used up.*1 of 1 healthy|1 of 1 healthy.*At this pace/,
    );
  });

  it("again when what was lost was sent again", async () => {
    const { page, accountId } = await customer("again");
    const id = await register(accountId);
    const lost = await deliver(id, "failed");
    expect((await overview(page)).tone).toBe("verdict warn");
    service.clock.advance(1_000);
    await putResult(service.context, lost, { outcome: "delivered" });
    expect(await overview(page)).toEqual(GREEN);
  });
});

describe.skipIf(browser === null)("the verdict is amber", () => {
  it("above lost deliveries, and claims no recovery before an answer of 2xx", async () => {
    const { page, accountId } = await customer("lost");
    await deliver(await register(accountId), "delivered");
    const id = await register(accountId);
    await deliver(id, "failed");
    // What enabling does: no answer has come since.
    await service.context.db.prisma.webhookEndpoint.update({ where: { id }, data: { failureStreak: 0 } });
    expect(await overview(page)).toEqual({ tone: "verdict warn", text: "1 thing needs attention." });
    const told = await textOf(page);
    expect(told).toMatch(/lost 1 delivery .*not sent again\. The receiver has accepted nothing since/);
    expect(told).not.toContain("accepts deliveries again");
    expect(told).toContain("1 of 2 healthy");
    await expectGoodLooks(page, "overview-lost");
    await deliver(id, "delivered", true);
    expect((await overview(page)).tone).toBe("verdict warn");
    expect(await textOf(page)).toContain("The receiver accepts deliveries again.");
    expect(await textOf(page)).toContain("2 of 2 healthy");
  });

  it("for an endpoint that its customer paused, and one that has accepted nothing yet", async () => {
    const { page, accountId } = await customer("paused");
    const id = await register(accountId);
    expect((await overview(page)).tone).toBe("verdict warn");
    expect(await textOf(page)).toMatch(/0 of 1 healthy.*1 accepted nothing yet/);
    await deliver(id, "delivered", true);
    expect(await overview(page)).toEqual(GREEN);
    await pauseByCustomer(service.context, accountId, id);
    expect((await overview(page)).tone).toBe("verdict warn");
  });

  it("from 80% of the quota on, while attempts fail, and after a failed test", async () => {
    const { page, accountId, key } = await customer("near", { rowsPerMonth: 1_000 });
    const id = await register(accountId);
    await deliver(id, "delivered");
    const caller = await callerOf(service.context, key);
    await chargeRows(service.context, caller, "api", 799);
    expect(await overview(page)).toEqual(GREEN);
    await chargeRows(service.context, caller, "api", 1);
    expect((await overview(page)).text).toBe("1 thing needs attention.");
    await deliver(id, "failed", true);
    expect((await overview(page)).text).toBe("2 things need attention.");
    await page.goto(`/dashboard/webhooks/${id}`);
    expect(await textOf(page)).toMatch(/Failed 0 in seven days, besides 1 failed test /);
    // A receiver that cannot be reached refuses nothing, and has no answers to look at.
    expect(await textOf(page)).toMatch(
      /last test delivery failed\. Look at its attempts and repair the receiver\./,
    );
    await page.goto("/dashboard/webhooks");
    expect(await textOf(page)).toContain("failing the last delivery failed");
    await deliver(id, "delivered");
    await putRetry(service.context, await deliver(id, "queued"), { failures: 1 });
    expect((await overview(page)).text).toBe("2 things need attention.");
  });
});

describe.skipIf(browser === null)("the verdict is red", () => {
  it("when nothing arrives at any endpoint", async () => {
    const { page, accountId } = await customer("down");
    const [first, second] = [await register(accountId), await register(accountId)];
    const { webhookEndpoint } = service.context.db.prisma;
    const paused = { active: false, disabledReason: "too_many_failures" };
    await webhookEndpoint.update({ where: { id: first }, data: paused });
    await deliver(second, "delivered");
    expect((await overview(page)).tone).toBe("verdict warn");
    await webhookEndpoint.update({ where: { id: second }, data: { failureStreak: 3 } });
    expect(await overview(page)).toEqual({ tone: "verdict bad", text: "2 things do not work." });
    await expectGoodLooks(page, "overview-down");
  });

  it("when the quota is used up, and when a feed is stale", async () => {
    const { page, key } = await customer("red", {
      rowsPerMonth: 10,
      feeds: { us_brokers: null, us_insurance_lapse_alerts: null },
    });
    expect(await overview(page)).toEqual({ tone: "verdict bad", text: "1 thing does not work." });
    await chargeRows(service.context, await callerOf(service.context, key), "api", 10);
    expect(await overview(page)).toEqual({ tone: "verdict bad", text: "2 things do not work." });
  });
});

describe.skipIf(browser === null)("the verdict has no colour", () => {
  it("for an account without a key in use, and for a plan without API access", async () => {
    const { page, accountId, keyId } = await customer("keyless");
    expect(await overview(page)).toEqual(GREEN);
    await revokeKey(service.context, keyId, accountId);
    expect(await overview(page)).toEqual({ tone: "verdict plain", text: "You have no API key yet." });
    const ended = await customer("ended");
    const past = { expires_at: service.clock.now() };
    await changeRows(service.context.db.pool, "api_key", past, { id: ended.keyId });
    expect(await overview(ended.page)).toEqual({ tone: "verdict plain", text: "Your API keys have ended." });
    expect(await textOf(ended.page)).toContain("Make an API key next");
    const files = await customer("files", { apiAccess: false });
    expect(await overview(files.page)).toEqual({ tone: "verdict plain", text: "Nothing needs attention." });
  });
});
