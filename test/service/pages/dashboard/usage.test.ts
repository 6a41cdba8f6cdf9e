import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { chargeRows } from "../../../../src/accounts/usage/quota.ts";
import { countError, countRequest } from "../../../../src/accounts/usage/usage-counter.ts";
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
    expect(await page.getByText("Rows used: 0 of 1,000 (0 %), 1,000 left").count()).toBe(1);
    expect(await page.getByText("At this pace").count()).toBe(0);
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
    await page.getByText("Rows used: 600 of 2,000 (30 %), 1,400 left").waitFor();
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

  it("has no meter in a plan without rows", async () => {
    const { page } = await customer("looks", 0);
    await page.goto("/dashboard/usage");
    await page.getByText("Your plan has no rows to read or download.").waitFor();
    expect(await page.locator(".quota-bar").count()).toBe(0);
  });
});
