import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { chargeRows } from "../../../../src/accounts/usage/quota.ts";
import { countError, countRequest } from "../../../../src/accounts/usage/usage-counter.ts";
import type { components } from "../../../../src/generated/types.ts";
import { callerOf } from "../../../support/accounts.ts";
import { expectGoodLooks, signedInCustomer } from "../../../support/dashboard.ts";
import { openBrowser } from "../../../support/network/browser.ts";
import { startTestService, type TestService } from "../../../support/service.ts";

// A browser on a busy machine takes its time.
vi.setConfig({ testTimeout: 300_000 });

const browser: Browser | null = await openBrowser();
let service: TestService;

beforeAll(async () => {
  service = await startTestService();
});
afterAll(async () => {
  await browser?.close();
  await service.stop();
});

const customer = (name: string, rowsPerMonth: number) =>
  signedInCustomer(browser as Browser, service, { email: `${name}@freight.example`, rowsPerMonth });

/** The cells of a key's row in the table of sums. */
const cellsOf = (page: Page, key: string): Promise<string[]> =>
  page
    .getByRole("region", { name: "Usage by key" })
    .getByRole("row", { name: key })
    .getByRole("cell")
    .allTextContents();

describe.skipIf(browser === null)("the usage page", () => {
  it("says that nothing was used, and what would appear", async () => {
    const { page } = await customer("none", 1_000);
    await page.goto("/dashboard/usage");
    expect(await page.getByText("Nothing was used").count()).toBe(2);
    expect(await page.getByText("Rows used: 0 of 1,000 (0%), 1,000 left").count()).toBe(1);
    expect(await page.getByText("At this pace").count()).toBe(0);
  });

  it("stands in sight in the menu of a phone, which is one line", async () => {
    const { page } = await customer("phone", 1_000);
    await page.setViewportSize({ width: 390, height: 800 });
    await page.goto("/dashboard/usage");
    await expect
      .poll(() => page.locator("nav [aria-current]").first().boundingBox())
      .toMatchObject({ x: expect.toSatisfy((x: number) => x >= 0 && x < 300) });
  });

  it("shows what was used, by day and by key, with the forecast, and no other account's", async () => {
    const { page, accountId, key } = await customer("usage", 2_000);
    const { key: another } = await service.createKey(accountId);
    for (const day of ["17", "18", "19", "20", "21"]) {
      service.clock.set(`2026-11-${day}T12:00:00Z`);
      for (const each of [key, another]) {
        const caller = await callerOf(service.context, each);
        for (let times = 0; times < 10; times++) countRequest(service.context, caller);
        countError(service.context, caller, { isCounted: true });
        countError(service.context, caller, { isCounted: false });
        await chargeRows(service.context, caller, "api", 50);
      }
      await chargeRows(service.context, await callerOf(service.context, another), "export", 20);
    }
    await page.goto("/dashboard/usage");
    await page.getByText("Rows used: 600 of 2,000 (30%), 1,400 left").waitFor();
    await page
      .getByText(
        "At this pace about 1,680 by 30 November. The pace is the average of the last 4 full days (UTC).",
      )
      .waitFor();
    await page.getByRole("img", { name: "Rows: 600 in total, most on 2026-11-17: 120" }).waitFor();
    await page.getByRole("img", { name: "Requests: 110 in total, most on 2026-11-17: 22" }).waitFor();
    expect(await cellsOf(page, "test")).toEqual(["250", "0", "55", "10"]);
    expect(await cellsOf(page, "another")).toEqual(["250", "100", "55", "10"]);
    await page.getByLabel("Key", { exact: true }).selectOption("another");
    await page.getByRole("button", { name: "Show" }).click();
    await page.getByRole("img", { name: "Rows: 350 in total, most on 2026-11-17: 70" }).waitFor();
    await page.getByText("By day and key as a table").click();
    await expectGoodLooks(page, "usage");

    const { page: others } = await customer("others", 1_000);
    await others.goto("/dashboard/usage");
    expect(await others.getByText("Nothing was used").count()).toBe(2);
  });

  it("has the line of the month's rows, whose figures are those of the API on each day", async () => {
    const { page, key } = await customer("line", 4_000);
    const caller = await callerOf(service.context, key);
    const report = async () => {
      const answer = await service.get("/v1/usage", key);
      expect(answer.status).toBe(200);
      return (await answer.json()) as Required<components["schemas"]["UsageOut"]>;
    };
    const told = new Map<string, number>();
    for (const [day, rows] of [
      ["2026-10-31", 900],
      ["2026-11-17", 150],
      ["2026-11-18", 70],
      ["2026-11-20", 310],
      ["2026-11-21", 40],
    ] as const) {
      service.clock.set(`${day}T12:00:00Z`);
      await chargeRows(service.context, caller, day === "2026-11-18" ? "export" : "api", rows);
      told.set(day, (await report()).usage.quota_rows);
    }
    const { usage, limits, forecast } = await report();
    expect([told.get("2026-11-20"), usage.quota_rows, forecast?.until]).toEqual([530, 570, "2026-11-30"]);
    await page.goto("/dashboard/usage");
    const chart = page.locator(".chart", { hasText: "Rows used this month, added up" });
    const points = await chart.locator("svg.wide circle title").allTextContents();
    for (const [day, used] of told) {
      if (day > "2026-11-20" || day < "2026-11") continue;
      expect(points).toContain(`${day}: ${used} used`);
    }
    expect(points).toContain("2026-11-01: 0 used");
    expect(points).toContain("2026-11-19: 220 used");
    expect(points).toContain(`2026-11-21 so far: ${usage.quota_rows} used`);
    expect(points.at(-1)).toBe(`2026-11-30: ${forecast?.rows.toLocaleString("en-US")} forecast`);
    const limit = await chart.locator("svg.wide text.limit").textContent();
    expect(limit).toBe(`limit: ${limits.api_rows_month.toLocaleString("en-US")}`);
    const rows = await page
      .getByRole("region", { name: "Rows used this month, added up", includeHidden: true })
      .locator("tbody tr")
      .evaluateAll((all) => all.map((row) => [...row.children].map((cell) => cell.textContent ?? "")));
    const shown = (value: number) => value.toLocaleString("en-US");
    const left = (used: number) => shown(limits.api_rows_month - used);
    expect(rows.slice(0, 3)).toEqual([
      ["2026-11-30, forecast", "–", shown(forecast?.rows ?? 0), left(forecast?.rows ?? 0)],
      ["2026-11-21 so far", "40", shown(usage.quota_rows), left(usage.quota_rows)],
      ["2026-11-20", "310", "530", left(530)],
    ]);
    expect(rows).toHaveLength(22);
    await page.getByText("Rows used this month, added up as a table").click();
    await expectGoodLooks(page, "usage-line");
  });

  it("has no meter in a plan without rows", async () => {
    const { page } = await customer("looks", 0);
    await page.goto("/dashboard/usage");
    await page.getByText("Your plan has no rows to read or download.").waitFor();
    expect(await page.locator(".quota-bar").count()).toBe(0);
    expect(await page.locator("text.limit").count()).toBe(0);
  });
});
