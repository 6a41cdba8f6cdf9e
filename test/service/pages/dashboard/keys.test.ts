import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { chargeRows } from "../../../../src/accounts/usage/quota.ts";
import { countRequest } from "../../../../src/accounts/usage/usage-counter.ts";
import { callerOf } from "../../../support/accounts.ts";
import { expectGoodLooks, openDashboard, signIn } from "../../../support/dashboard.ts";
import { openBrowser } from "../../../support/network/browser.ts";
import { startTestService, type TestService } from "../../../support/service.ts";

// A browser on a busy machine takes its time.
vi.setConfig({ testTimeout: 300_000 });

const browser: Browser | null = await openBrowser();
let service: TestService;
let page: Page;

beforeAll(async () => {
  service = await startTestService();
});
afterAll(async () => {
  await browser?.close();
  await service.stop();
});

/** A customer without a key, signed in. */
async function newCustomer(email: string): Promise<number> {
  const { accountId, keyId } = await service.createAccount({
    feeds: { us_brokers: null },
    rowsPerMonth: 1_000,
  });
  await service.context.db.prisma.account.update({ where: { id: accountId }, data: { email } });
  await service.context.db.prisma.apiKey.delete({ where: { id: keyId } });
  ({ page } = await openDashboard(browser as Browser, service));
  await signIn(page, service, email);
  return accountId;
}

describe.skipIf(browser === null)("a new customer", () => {
  it("makes a key, sees it once, and its curl line works; revoked, it is refused at once", async () => {
    await newCustomer("new@freight.example");
    await expectGoodLooks(page, "overview-new");
    await page.getByRole("link", { name: "make one" }).click();
    await expectGoodLooks(page, "keys-none");
    await page.getByLabel("What the key is for").fill("Nightly <sync>");
    await page.getByRole("button", { name: "Make a key" }).click();
    await page.getByRole("heading", { name: "Your new key" }).waitFor();
    await expectGoodLooks(page, "keys-new");

    const curl = (await page.locator("#new-key-curl").textContent()) ?? "";
    const line = curl.replace(service.context.config.publicUrl, service.url);
    const { stdout } = await promisify(execFile)("bash", ["-c", `${line} --silent --fail`]);
    expect(JSON.parse(stdout).data).toHaveLength(1);
    const key = (await page.locator("#new-key").textContent()) ?? "";
    await page.getByRole("button", { name: "Copy the key" }).click();

    // The browser may ask whether to send the form again only where the page came of sending one.
    expect(page.url()).not.toContain(key.slice(9));
    await page.reload();
    await page.getByText("Your new key was already shown once.").waitFor();
    await expectGoodLooks(page, "keys-shown");
    expect(await page.getByRole("cell", { name: "Nightly <sync>", exact: true }).count()).toBe(1);
    await page.goto("/dashboard/keys");
    expect(await page.content()).not.toContain(key.slice(18));
    expect(await page.getByRole("cell", { name: "Nightly <sync>", exact: true }).count()).toBe(1);
    await page.getByRole("link", { name: "Revoke Nightly <sync>" }).click();
    await expectGoodLooks(page, "keys-revoke");
    await page.getByRole("button", { name: "Revoke it" }).click();
    await page.getByText("revoked", { exact: true }).waitFor();
    expect((await service.get("/v1/feeds", key)).status).toBe(401);
  });

  it("is told why a name cannot be", async () => {
    await newCustomer("names@freight.example");
    await page.goto("/dashboard/keys");
    await page.getByLabel("What the key is for").fill("   ");
    await page.getByRole("button", { name: "Make a key" }).click();
    expect(await page.getByRole("alert").textContent()).toContain("1 to 100 characters");
    await expectGoodLooks(page, "keys-refused");
  });

  it("sees what was used, by day and by key", async () => {
    const accountId = await newCustomer("usage@freight.example");
    await page.goto("/dashboard/usage");
    await expectGoodLooks(page, "usage-none");
    const { key } = await service.createKey(accountId);
    const caller = await callerOf(service.context, key);
    countRequest(service.context, caller);
    await chargeRows(service.context, caller, "api", 700);
    await chargeRows(service.context, caller, "export", 150);
    await page.reload();
    expect(await page.getByText("85 % of this month's rows are used.").count()).toBe(1);
    expect(await page.getByText("Rows used: 850 of 1,000 (85 %), 150 left").count()).toBe(1);
    expect(await page.getByText("API rows: 700 in total, most on 2026-11-21: 700").count()).toBe(1);
    await page.getByLabel("Key", { exact: true }).selectOption("another");
    await page.getByRole("button", { name: "Show" }).click();
    expect(await page.getByText("Export rows: 150 in total, most on 2026-11-21: 150").count()).toBe(1);
    await page.getByText("The same as a table, by key").click();
    await expectGoodLooks(page, "usage");
  });
});
