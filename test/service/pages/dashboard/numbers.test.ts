// Numbers and days on the dashboard's pages, as a tester read them wrongly.
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { callerOfAccount } from "../../../../src/accounts/keys/caller.ts";
import { chargeRows } from "../../../../src/accounts/usage/quota.ts";
import { readUsage } from "../../../../src/accounts/usage/usage.ts";
import type { FeedCode } from "../../../../src/feeds/catalogue.ts";
import { callerOf, useSevenDays } from "../../../support/accounts.ts";
import { customersOf, expectGoodLooks } from "../../../support/dashboard.ts";
import { setDetection } from "../../../support/events/events.ts";
import { feedRecord, publishFeed } from "../../../support/feeds/published-feed.ts";
import { openBrowser } from "../../../support/network/browser.ts";
import { startTestService, type TestService } from "../../../support/service.ts";

// A browser on a busy machine takes its time.
vi.setConfig({ testTimeout: 300_000 });

const browser: Browser | null = await openBrowser();
let service: TestService;

const MILES = { annual_mileage: 120_500, mileage_year: 2025 };

beforeAll(async () => {
  service = await startTestService({ env: { CONTACT_EMAIL: "sales@feeds.example" } });
  const { db } = service.context;
  const publish = (code: FeedCode, asOf: string, rows: number) =>
    publishFeed(db, code, {
      records: Array.from({ length: rows }, (_, index) =>
        feedRecord(code, { dot_number: String(77 + index), state: index < 2 ? "TX" : "CA", ...MILES }),
      ),
      asOf,
      now: service.clock.now(),
    });
  await publish("us_insurance_lapse_alerts", "2026-11-10", 1);
  await publish("us_small_carriers_active", "2026-11-20", 1);
  await publish("us_brokers", "2026-11-18", 4);
  await publish("us_brokers", "2026-11-20", 5);
  await setDetection(db, { finishedAt: "2026-11-20T11:20:05Z", asOf: "2026-11-20" });
});
afterAll(async () => {
  await browser?.close();
  await service.stop();
});

const customer = customersOf(browser, () => service, { feeds: { us_brokers: null } });

const mainOf = async (page: Page, path: string): Promise<string> => {
  await page.goto(`/dashboard${path}`);
  return ((await page.locator("main").textContent()) ?? "").replaceAll(/\s+/g, " ");
};

describe.skipIf(browser === null)("a year", () => {
  it("has no separators, in the preview and on the company's page; other numbers have", async () => {
    const { page } = await customer("years", { feeds: { us_small_carriers_active: null } });
    for (const path of ["/feeds/us_small_carriers_active", "/carriers/77"]) {
      await page.goto(`/dashboard${path}?columns=annual_mileage,mileage_year`);
      // The columns of a company are folded.
      const cell = (name: string) => page.getByRole("cell", { name, exact: true, includeHidden: true });
      expect(await cell("2025").count(), path).toBeGreaterThan(0);
      expect(await cell("120,500").count()).toBeGreaterThan(0);
    }
  });
});

describe.skipIf(browser === null)("the rows of a feed", () => {
  it("are those of the plan's states, on the overview as on the page of feeds", async () => {
    const { page } = await customer("states", { feeds: { us_brokers: ["TX"] } });
    for (const path of ["", "/feeds"]) {
      await page.goto(`/dashboard${path}`);
      const row = page.getByRole("row", { name: /Brokers and freight forwarders/ });
      expect(await row.getByRole("cell", { name: "2", exact: true }).count(), path).toBe(1);
    }
    // Sizes by day are known of all states together only.
    expect(await mainOf(page, "")).not.toContain("since 18 November");
  });
});

describe.skipIf(browser === null)("a stale feed", () => {
  it("is called stale with its day, not served, and the page says whom to ask", async () => {
    const plan = { feeds: { us_insurance_lapse_alerts: null } };
    const { page } = await customer("stale", plan);
    const overview = await mainOf(page, "");
    expect(overview).toMatch(/Stale and not served: Insurance lapse alerts \(of 10 November\)\./);
    expect(overview).toMatch(/503 stale_source.*write to sales@feeds\.example/);
    expect(overview).not.toMatch(/being refreshed|need not do anything else/);
    expect(await mainOf(page, "/feeds")).toContain("stale, not served");
    const feed = await mainOf(page, "/feeds/us_insurance_lapse_alerts");
    expect(feed).toMatch(/stale, not served.*write to sales@feeds\.example/);
    await page.goto("/");
    const row = page.getByRole("row", { name: /Insurance lapse alerts/ });
    expect(await row.textContent()).toContain("stale, not served");
  });

  // Without the year, data of last November looked a week old.
  it("has the year of its day when that is long ago, as events have", async () => {
    const { db } = service.context;
    const records = [feedRecord("us_revocation_pending", { dot_number: "77" })];
    const [asOf, now] = ["2025-11-10", service.clock.now()];
    await publishFeed(db, "us_revocation_pending", { records, asOf, now });
    await setDetection(db, { finishedAt: "2025-11-10T11:20:05Z", asOf });
    const { page } = await customer("year", { feeds: { us_revocation_pending: null } });
    const overview = await mainOf(page, "");
    expect(overview).toContain("Stale and not served: Revocation pending (of 10 November 2025).");
    expect(overview).toContain("the newest are of 10 November 2025.");
    expect(overview).toContain("Newest data of 10 November 2025.");
    await setDetection(db, { finishedAt: "2026-11-20T11:20:05Z", asOf: "2026-11-20" });
  });
});

describe.skipIf(browser === null)("the usage", () => {
  it("marks the day that is not over, and draws it in no trend line", async () => {
    const { page, accountId, keyId } = await customer("today");
    await useSevenDays(service.context, { accountId, keyId }, { rows: 500 });
    await page.goto("/dashboard");
    const ends = await page
      .locator(".card .trend polyline")
      .evaluateAll((lines) =>
        lines.map((line) => line.getAttribute("points")?.split(" ").at(-1)?.split(",")[1]),
      );
    // 2 is the top of the drawing: yesterday was as busy as the days before it.
    expect(ends).toEqual(["2.0", "2.0"]);
    for (const path of ["", "/usage"]) {
      await page.goto(`/dashboard${path}`);
      expect(await page.locator(".chart svg.wide .bar.open").count()).toBe(2);
      expect(await mainOf(page, path)).toContain("2026-11-21 so far");
      expect(await page.locator(".chart .legend").first().textContent()).toContain("today so far");
    }
  });

  it("explains its bar, and does not lead to itself", async () => {
    const { page, key } = await customer("bar", { rowsPerMonth: 1_000 });
    await chargeRows(service.context, await callerOf(service.context, key), "api", 840);
    const usage = await mainOf(page, "/usage");
    expect(usage).toMatch(/84% of this month's rows are used\. 160 rows are left/);
    expect(usage).toMatch(/used: 840.*left: 160/);
    expect(await page.locator('main a[href$="/usage"]').count()).toBe(0);
  });
});

describe.skipIf(browser === null)("an account whose rows are used up", () => {
  it("cannot press the buttons of downloads, and reads no advice that does not help", async () => {
    const { page, key } = await customer("spent", { rowsPerMonth: 12_000 });
    await chargeRows(service.context, await callerOf(service.context, key), "export", 12_000);
    const feed = await mainOf(page, "/feeds/us_brokers");
    expect(feed).not.toContain("Filter for fewer rows");
    expect(feed).toMatch(/All rows of this month are used.*1 December .*write to sales@feeds\.example/);
    await page.getByText("Download", { exact: true }).click();
    for (const format of ["CSV", "NDJSON", "Parquet"]) {
      expect(await page.getByRole("button", { name: `Download as ${format}` }).isDisabled()).toBe(true);
    }
    await expectGoodLooks(page, "feed-used-up");
    const refused = await page.request.get("/dashboard/feeds/us_brokers/export.csv");
    expect(await refused.text()).toContain("0 of the 12,000 rows of your plan are left");
  });

  it("can still download what was charged this month", async () => {
    const { page, accountId } = await customer("paid", { rowsPerMonth: 5 });
    const download = () => page.request.get("/dashboard/feeds/us_brokers/export.csv");
    expect((await download()).status()).toBe(200);
    const feed = await mainOf(page, "/feeds/us_brokers");
    expect(feed).toMatch(
      /5 companies. A download of all of them uses 0 rows of your quota\. 0 rows are left/,
    );
    await page.getByText("Download", { exact: true }).click();
    expect(await page.getByRole("button", { name: "Download as NDJSON" }).isEnabled()).toBe(true);
    expect((await download()).status()).toBe(200);
    const caller = await callerOfAccount(service.context, accountId);
    expect((await readUsage(service.context, caller)).usage.quota_rows).toBe(5);
  });

  it("sees a refused download as an error", async () => {
    const { page, key } = await customer("short", { rowsPerMonth: 12_000 });
    await chargeRows(service.context, await callerOf(service.context, key), "export", 11_998);
    await page.goto("/dashboard/feeds/us_brokers");
    await page.getByText("Download", { exact: true }).click();
    await page.getByRole("button", { name: "Download as CSV" }).click();
    const told = page.getByText(/^The download failed: This answer has 5 rows, and 2 of the 12,000 rows/);
    await told.waitFor();
    expect(await told.getAttribute("class")).toBe("notice bad");
  });
});

describe.skipIf(browser === null)("a plan without downloads", () => {
  it("says what can be done with it, and how to get files", async () => {
    const { page } = await customer("files", { apiAccess: false, rowsPerMonth: 0 });
    expect(await mainOf(page, "/feeds")).toMatch(
      /You can look at the feeds, companies and events here\..*For files.*write to sales@feeds\.example/,
    );
  });
});
