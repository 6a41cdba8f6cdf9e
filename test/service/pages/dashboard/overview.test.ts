import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { setPlan } from "../../../../src/accounts/accounts.ts";
import { chargeRows } from "../../../../src/accounts/usage/quota.ts";
import { queueMail } from "../../../../src/platform/mail/outbox.ts";
import { pauseByCustomer } from "../../../../src/webhooks/endpoints/pause.ts";
import { callerOf } from "../../../support/accounts.ts";
import { expectGoodLooks, signedInCustomer } from "../../../support/dashboard.ts";
import { setDetection } from "../../../support/events/events.ts";
import { feedRecord, publishFeed } from "../../../support/feeds/published-feed.ts";
import { openBrowser } from "../../../support/network/browser.ts";
import { removeBusinesses, undoRemovals } from "../../../support/removals/removals.ts";
import { startTestService, type TestService } from "../../../support/service.ts";
import { putDelivery } from "../../../support/webhooks/deliveries.ts";
import { quieten, startTestDispatcher, until } from "../../../support/webhooks/dispatching.ts";
import { registerEndpoint } from "../../../support/webhooks/endpoints.ts";

// A browser on a busy machine takes its time.
vi.setConfig({ testTimeout: 300_000 });

const browser: Browser | null = await openBrowser();
let service: TestService;

beforeAll(async () => {
  service = await startTestService({
    env: { CONTACT_EMAIL: "sales@feeds.example", WEBHOOK_RETRY_SECONDS: "45,5400" },
  });
  const { db } = service.context;
  for (const [code, asOf] of [
    ["us_brokers", "2026-11-20"],
    ["us_insurance_lapse_alerts", "2026-11-10"],
  ] as const) {
    const records = [feedRecord(code, { dot_number: "77" })];
    await publishFeed(db, code, { records, asOf, now: service.clock.now() });
  }
  await setDetection(db, { finishedAt: "2026-11-20T11:20:05Z", asOf: "2026-11-20" });
});
afterAll(async () => {
  await browser?.close();
  await service.stop();
});

const EVERY_TYPE = { event_types: ["reinstated", "authority_inactive"] as never };

const customer = (name: string, plan: Parameters<TestService["createAccount"]>[0] = {}) =>
  signedInCustomer(browser as Browser, service, {
    email: `${name}@freight.example`,
    feeds: { us_brokers: null },
    ...plan,
  });

/** The warning with this beginning, whole, once the overview is loaded anew. */
async function warning(page: Page, what: string | RegExp): Promise<string> {
  await page.goto("/dashboard");
  const note = page.locator("main .note").filter({ hasText: what });
  expect(await note.count()).toBe(1);
  return ((await note.textContent()) ?? "").replaceAll(/\s+/g, " ");
}

const endpointWith = async (accountId: number, data: object) => {
  const { id } = await registerEndpoint(service.context, accountId, EVERY_TYPE);
  await service.context.db.prisma.webhookEndpoint.update({ where: { id }, data });
  return id;
};

describe.skipIf(browser === null)("the overview", () => {
  it("says that all is well where it is", async () => {
    const { page, accountId } = await customer("well");
    await registerEndpoint(service.context, accountId, EVERY_TYPE);
    await page.goto("/dashboard");
    await page.getByText("Nothing. Everything works.").waitFor();
    expect(await page.locator("main .note").count()).toBe(0);
    await expectGoodLooks(page, "overview-well");
  });

  it("tells of rows that are nearly and all used, until when, and how to get more", async () => {
    const { page, key, licenceRef } = await customer("rows", { rowsPerMonth: 1_000 });
    const caller = await callerOf(service.context, key);
    await chargeRows(service.context, caller, "api", 799);
    await page.goto("/dashboard");
    await page.getByText("Nothing. Everything works.").waitFor();
    await chargeRows(service.context, caller, "api", 1);
    const near = await warning(page, "80 % of this month's rows are used.");
    expect(near).toMatch(/200 rows are left until 2026-12-01.*write to sales@feeds\.example/);
    expect(near).toContain(licenceRef);
    await chargeRows(service.context, caller, "export", 200);
    expect(await warning(page, "All rows of this month are used.")).toMatch(
      /refused until 2026-12-01.*write to sales@feeds\.example/,
    );
    await page.goto("/dashboard/usage");
    expect(await page.getByText("All rows of this month are used.").count()).toBe(1);
    await expectGoodLooks(page, "usage-spent");
  });

  it("tells of feeds and events that are stale or not live", async () => {
    const { page } = await customer("stale", {
      feeds: { us_insurance_lapse_alerts: null, us_revocation_pending: null },
    });
    expect(await warning(page, "Being refreshed")).toMatch(/of 2026-11-10.*503 stale_source.*Retry-After/);
    expect(await warning(page, "Not live yet")).toContain("need not do anything");
    await setDetection(service.context.db, { finishedAt: "2026-11-10T11:20:05Z", asOf: "2026-11-10" });
    expect(await warning(page, "Events are being refreshed")).toMatch(/of 2026-11-10.*cursor stays valid/);
    await expectGoodLooks(page, "overview-stale");
    await setDetection(service.context.db, { finishedAt: "2026-11-20T11:20:05Z", asOf: "2026-11-20" });
  });

  it("tells of every endpoint that is paused or failing, and leads to what repairs it", async () => {
    const { page, accountId } = await customer("endpoints");
    const lost = await endpointWith(accountId, { active: false, disabledReason: "too_many_failures" });
    expect(await warning(page, `Endpoint ${lost} (https://hooks.example.com/in) is paused: 20`)).toMatch(
      /repair the receiver.*enable it again and replay/,
    );
    const failing = await endpointWith(accountId, { failureStreak: 7 });
    expect(await warning(page, `Endpoint ${failing} `)).toMatch(/7 deliveries in a row failed.*After 20/);
    const retrying = await endpointWith(accountId, {});
    await putDelivery(service.context, { endpointId: retrying });
    await service.context.db.pool.query("UPDATE webhook_delivery SET failures = 1 WHERE endpoint_id = $1", [
      retrying,
    ]);
    expect(await warning(page, `Endpoint ${retrying} `)).toMatch(
      /1 delivery waits for another attempt.*after 45 seconds and 90 minutes/,
    );
    const past = await endpointWith(accountId, {});
    await putDelivery(service.context, { endpointId: past, status: "failed" });
    expect(await warning(page, `Endpoint ${past} `)).toMatch(/lost 1 delivery.*replay/);
    const own = (await registerEndpoint(service.context, accountId, EVERY_TYPE)).id;
    await pauseByCustomer(service.context, accountId, own);
    expect(await warning(page, `Endpoint ${own} `)).toMatch(/paused by you.*Enable it again/);
    await expectGoodLooks(page, "overview-endpoints");
    await page.getByRole("link", { name: "the failed deliveries" }).first().click();
    await page.getByRole("heading", { name: `Endpoint ${lost}` }).waitFor();
    await page.getByText("20 deliveries in a row failed.").waitFor();
    await expectGoodLooks(page, "endpoint-paused");
  });

  it("tells of endpoints whose event types the plan has lost, in part or all", async () => {
    const { page, accountId } = await customer("plan");
    const partly = await endpointWith(accountId, { eventTypes: ["reinstated", "revocation_pending"] });
    expect(await warning(page, `Endpoint ${partly} `)).toMatch(
      /does not include: Revocation pending.*Remove the types/,
    );
    const { planCode } = await service.createAccount({ feeds: { us_new_authority_weekly: null } });
    await setPlan(service.context, accountId, planCode);
    await quieten(service.context);
    await service.context.db.prisma.webhookEndpoint.update({
      where: { id: partly },
      data: { active: true },
    });
    const dispatcher = startTestDispatcher(service.context);
    const isPaused = async () =>
      !(await service.context.db.prisma.webhookEndpoint.findUniqueOrThrow({ where: { id: partly } })).active;
    await until(isPaused);
    await dispatcher.stop();
    expect(await warning(page, `Endpoint ${partly} `)).toMatch(/includes none.*Choose other event types/);
    // Enabling it as it is would last some seconds.
    await page.goto(`/dashboard/webhooks/${partly}`);
    await page.getByRole("button", { name: "Enable again" }).click();
    expect(await page.getByRole("alert").textContent()).toContain("Edit the endpoint and choose other types");
    expect(await isPaused()).toBe(true);
  });

  it("tells of mails that did not arrive and of businesses that were removed", async () => {
    const { page } = await customer("mails");
    const { db, clock } = service.context;
    const recipient = "mails@freight.example";
    await queueMail(db.pool, {
      recipient,
      purpose: "quota_warning",
      subject: "s",
      body: "b",
      now: clock.now(),
    });
    await db.pool.query("UPDATE mail_outbox SET failed_at = $1 WHERE subject = 's'", [clock.now()]);
    expect(await warning(page, "1 mail to mails@freight.example could not be delivered")).toMatch(
      /mailbox.*sales@feeds\.example/,
    );
    await removeBusinesses(db, [77, 78, 79], clock.now());
    await db.pool.query("UPDATE suppressed_business SET feeds = '{us_brokers}' WHERE usdot < 79");
    expect(await warning(page, "2 businesses were removed on request")).toContain(
      "Remove them from your copies",
    );
    await undoRemovals(db);
  });
});
