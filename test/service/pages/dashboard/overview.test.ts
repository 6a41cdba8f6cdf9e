import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { setPlan } from "../../../../src/accounts/accounts.ts";
import { chargeRows } from "../../../../src/accounts/usage/quota.ts";
import { queueMail } from "../../../../src/platform/mail/outbox.ts";
import { pauseByCustomer } from "../../../../src/webhooks/endpoints/pause-or-delete.ts";
import { callerOf } from "../../../support/accounts.ts";
import { customersOf, expectGoodLooks } from "../../../support/dashboard.ts";
import { putEvents, setDetection } from "../../../support/events/events.ts";
import { openBrowser } from "../../../support/network/browser.ts";
import { removeBusinesses, undoRemovals } from "../../../support/removals/removals.ts";
import { changeRows } from "../../../support/rows.ts";
import { startTestService, type TestService } from "../../../support/service.ts";
import { putDelivery, putRetry } from "../../../support/webhooks/deliveries.ts";
import { quieten, startTestDispatcher, until } from "../../../support/webhooks/dispatching.ts";
import { registerEndpoint } from "../../../support/webhooks/endpoints.ts";
import { card, publishFeeds, useRows, warning } from "./overview-page.ts";

// A browser on a busy machine takes its time.
vi.setConfig({ testTimeout: 300_000 });

const browser: Browser | null = await openBrowser();
let service: TestService;

beforeAll(async () => {
  service = await startTestService({
    env: { CONTACT_EMAIL: "sales@feeds.example", WEBHOOK_RETRY_SECONDS: "45,5400" },
  });
  await publishFeeds(service);
});
afterAll(async () => {
  await browser?.close();
  await service.stop();
});

const EVERY_TYPE = { event_types: ["reinstated", "authority_inactive"] as never };

const customer = customersOf(browser, () => service, { feeds: { us_brokers: null } });

const endpointWith = async (accountId: number, data: object) => {
  const { id } = await registerEndpoint(service.context, accountId, EVERY_TYPE);
  await service.context.db.prisma.webhookEndpoint.update({ where: { id }, data });
  return id;
};

describe.skipIf(browser === null)("the overview", () => {
  it("says that all is well where it is", async () => {
    const { page, accountId } = await customer("well");
    const { id } = await registerEndpoint(service.context, accountId, EVERY_TYPE);
    await putDelivery(service.context, { endpointId: id, status: "delivered" });
    await page.goto("/dashboard");
    await page.getByText("Everything works.").waitFor();
    expect(await page.locator("main .notice").count()).toBe(0);
  });

  it("shows what was used by day with a forecast, how the feeds and endpoints are, and no other account's", async () => {
    const { page, ...account } = await customer("busy", { rowsPerMonth: 10_000 });
    await useRows(service.context, account, 200);
    const endpoint = await endpointWith(account.accountId, {});
    await putDelivery(service.context, { endpointId: endpoint, status: "delivered" });
    await page.goto("/dashboard");
    expect(await card(page, "Rows this month")).toMatch(
      /1,400 of 10,000 .*At this pace about 3,400 by 30 November\. The pace is the average of the last 7 full days/,
    );
    expect(await card(page, "Requests in 30 days")).toMatch(/77 14 errors \(18\.2%\)\./);
    expect(await card(page, "Feeds")).toContain("1 of 1 fresh");
    expect(await card(page, "Webhook endpoints")).toContain("1 of 1 healthy");
    await page.getByText("Requests as a table").click();
    const day = page
      .getByRole("region", { name: "Requests", exact: true })
      .getByRole("row", { name: /2026-11-20/ });
    expect(await day.textContent()).toBe("2026-11-2092");
    const feeds = page.getByRole("region", { name: "Feeds", exact: true });
    expect(await feeds.textContent()).toMatch(
      /Brokers and freight forwardersfresh2026-11-203\+2 since 18 November/,
    );
    await page.getByText("Rows of each feed by day as a table").click();
    expect(
      await page
        .getByRole("row", { name: /2026-11-19/ })
        .last()
        .textContent(),
    ).toBe("2026-11-191");
    await expectGoodLooks(page, "overview-busy");

    const { page: others } = await customer("idle");
    expect(await card(others, "Requests in 30 days")).toContain("0 No errors.");
    await others.getByText("Nothing was used yet").waitFor();
    expect(await others.locator("main").textContent()).not.toContain("hooks.example.com");
  });

  it("tells of rows that will not last to the month's end", async () => {
    const { page, ...account } = await customer("pace", { rowsPerMonth: 3_000 });
    await useRows(service.context, account, 200);
    expect(await warning(page, "At this pace this month's rows are used up on 28 November.")).toMatch(
      /average of the last 7 full days.*refused until 1 December.*write to sales@feeds\.example/,
    );
  });

  it("shows the newest event of the plan, and never one of a removed business", async () => {
    const { db, clock } = service.context;
    await putEvents(db, [
      { type: "reinstated", usdot: 4_300_001, docket: "MC100001", data: { legal_name: "OLDER EVENT LLC" } },
      { type: "reinstated", usdot: 4_300_002, docket: "MC100002", data: { legal_name: "NEWEST EVENT LLC" } },
      { type: "revocation_pending", data: { legal_name: "NOT IN THE PLAN LLC" } },
    ]);
    const { page } = await customer("events");
    expect(await card(page, "Newest event")).toMatch(/Reinstated MC100002 NEWEST EVENT LLC/);
    await removeBusinesses(db, [4_300_002], clock.now());
    await page.goto("/dashboard");
    expect(await card(page, "Newest event")).toMatch(/Reinstated MC100001 OLDER EVENT LLC/);
    await undoRemovals(db);
  });

  it("costs nothing, however often it is opened", async () => {
    const { page, accountId, key } = await customer("free");
    for (let times = 0; times < 3; times++) await page.goto("/dashboard");
    const { usage } = (await (await service.get("/v1/usage", key)).json()) as {
      usage: { quota_rows: number; api_requests: number };
    };
    expect(usage).toMatchObject({ quota_rows: 0, api_requests: 1 });
    const previews = "SELECT FROM preview_day WHERE account_id = $1";
    expect((await service.context.db.pool.query(previews, [accountId])).rowCount).toBe(0);
  });

  it("tells of rows that are nearly and all used, until when, and how to get more", async () => {
    const { page, key, licenceRef } = await customer("rows", { rowsPerMonth: 1_000 });
    const caller = await callerOf(service.context, key);
    await chargeRows(service.context, caller, "api", 799);
    await page.goto("/dashboard");
    await page.getByText("Everything works.").waitFor();
    await chargeRows(service.context, caller, "api", 1);
    const near = await warning(page, "80% of this month's rows are used.");
    await page.getByText("1 thing needs attention.").waitFor();
    expect(near).toMatch(/200 rows are left until 1 December.*write to sales@feeds\.example/);
    expect(near).toContain(licenceRef);
    await chargeRows(service.context, caller, "export", 200);
    expect(await warning(page, "All rows of this month are used.")).toMatch(
      /refused until 1 December.*write to sales@feeds\.example/,
    );
    await page.goto("/dashboard/usage");
    expect(await page.getByText("All rows of this month are used.").count()).toBe(1);
  });

  it("tells of feeds and events that are stale or not live", async () => {
    const { page } = await customer("stale", {
      feeds: { us_insurance_lapse_alerts: null, us_revocation_pending: null },
    });
    expect(await warning(page, "Stale and not served: Insur")).toMatch(
      /of 10 November.*503 stale_source.*Retry-After/,
    );
    expect(await warning(page, "Not live yet")).toContain("need not do anything");
    await setDetection(service.context.db, { finishedAt: "2026-11-10T11:20:05Z", asOf: "2026-11-10" });
    expect(await warning(page, "Events are stale")).toMatch(/of 10 November.*cursor stays valid/);
    await page.getByText("2 things do not work.").waitFor();
    await page.getByText("1 stale, not served. 1 not live yet.").waitFor();
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
    await putRetry(service.context, await putDelivery(service.context, { endpointId: retrying }), {
      failures: 1,
    });
    expect(await warning(page, `Endpoint ${retrying} `)).toMatch(
      /1 delivery waits for another attempt.*after 45 seconds and 90 minutes/,
    );
    const past = await endpointWith(accountId, {});
    await putDelivery(service.context, { endpointId: past, status: "failed" });
    expect(await warning(page, `Endpoint ${past} `)).toMatch(/lost 1 delivery.*replay/);
    const own = (await registerEndpoint(service.context, accountId, EVERY_TYPE)).id;
    await pauseByCustomer(service.context, accountId, own);
    expect(await warning(page, `Endpoint ${own} `)).toMatch(/paused by you.*Enable it again/);
    await page.getByText("5 things need attention.").waitFor();
    await page.getByText("0 of 5 healthy").waitFor();
    await page.getByText("3 failing. 2 paused.").waitFor();
    const row = page.getByRole("region", { name: "Webhook endpoints" }).getByRole("row");
    expect(await row.nth(1).textContent()).toMatch(/failed in a row/);
    expect(await row.filter({ has: page.locator(`a[href$="/webhooks/${past}"]`) }).textContent()).toMatch(
      /failing\D*0\D*1\D*0/,
    );
    await page.getByRole("link", { name: "the failed deliveries" }).first().click();
    await page.getByRole("heading", { name: `Endpoint ${lost}` }).waitFor();
    await page.getByText("20 deliveries in a row failed.").waitFor();
  });

  it("tells of endpoints whose event types the plan has lost, in part or all", async () => {
    const { page, accountId } = await customer("plan");
    const partly = await endpointWith(accountId, { eventTypes: ["reinstated", "revocation_pending"] });
    await putDelivery(service.context, { endpointId: partly, status: "delivered" });
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
    await changeRows(db.pool, "mail_outbox", { failed_at: clock.now() }, { subject: "s" });
    expect(await warning(page, "1 mail to mails@freight.example could not be delivered")).toMatch(
      /mailbox.*sales@feeds\.example/,
    );
    await removeBusinesses(db, [77, 78, 79], clock.now());
    await changeRows(db.pool, "suppressed_business", { feeds: ["us_brokers"] }, { usdot: [77, 78] });
    expect(await warning(page, "2 businesses were removed on request")).toContain(
      "Remove them from your copies",
    );
    await undoRemovals(db);
  });
});
