import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { setPlan } from "../../../../src/accounts/accounts.ts";
import { createKey } from "../../../../src/accounts/keys/keys.ts";
import { PREVIEWS_PER_DAY } from "../../../../src/accounts/usage/quota.ts";
import { expectGoodLooks, sendForm, signedInCustomer, usedPreviews } from "../../../support/dashboard.ts";
import { putEvents, setDetection } from "../../../support/events/events.ts";
import { feedRecord, publishFeed } from "../../../support/feeds/published-feed.ts";
import { openBrowser } from "../../../support/network/browser.ts";
import { startTestService, type TestService } from "../../../support/service.ts";
import { registerEndpoint } from "../../../support/webhooks/endpoints.ts";

// A browser on a busy machine takes its time.
vi.setConfig({ testTimeout: 300_000 });

const FEEDS = { us_new_authority_weekly: null };

const browser: Browser | null = await openBrowser();
let service: TestService;

beforeAll(async () => {
  service = await startTestService({ env: { CONTACT_EMAIL: "sales@feeds.example" } });
  const { db } = service.context;
  const records = [feedRecord("us_new_authority_weekly", { company: "NEW CARRIER", dot_number: "77" })];
  await publishFeed(db, "us_new_authority_weekly", { records, asOf: "2026-11-20", now: service.clock.now() });
  await setDetection(db, { finishedAt: "2026-11-20T11:20:05Z", asOf: "2026-11-20" });
  await putEvents(db, [{ data: { legal_name: "NEW CARRIER" } }]);
});
afterAll(async () => {
  await browser?.close();
  await service.stop();
});

const customer = (email: string, plan: { rowsPerMonth?: number } = {}) =>
  signedInCustomer(browser as Browser, service, {
    email,
    apiAccess: false,
    feeds: FEEDS,
    rowsPerMonth: 0,
    ...plan,
  });

const toldHowToGetMore = (page: Page) =>
  page.getByRole("link", { name: "sales@feeds.example" }).first().getAttribute("href");

describe.skipIf(browser === null)("a plan without API access", () => {
  it("is told what it has and how to get more, on every page that would offer what it lacks", async () => {
    const { page, licenceRef } = await customer("files@freight.example");
    for (const path of [
      "",
      "/keys",
      "/usage",
      "/feeds",
      "/feeds/us_new_authority_weekly",
      "/events",
      "/webhooks",
    ]) {
      const response = await page.goto(`/dashboard${path}`);
      expect({ path, status: response?.status() }).toEqual({ path, status: 200 });
      await page.getByRole("heading", { name: "Your plan has no API access" }).waitFor();
      expect(await toldHowToGetMore(page)).toBe(
        `mailto:sales@feeds.example?subject=Plan%20of%20${licenceRef}`,
      );
      if (path === "") await expectGoodLooks(page, "overview-files");
    }
  });

  it("looks at its feeds and events, and is offered no download where it has no rows", async () => {
    const { page } = await customer("looks@freight.example");
    await page.goto("/dashboard/feeds/us_new_authority_weekly");
    expect(await page.getByRole("rowheader", { name: "NEW CARRIER" }).count()).toBe(1);
    expect(await page.getByRole("button", { name: "Download as CSV" }).count()).toBe(0);
    expect(await page.locator("#curl").count()).toBe(0);
    await page.goto("/dashboard/events");
    expect(await page.getByText("MC100001 NEW CARRIER: authority granted on 19 November").count()).toBe(1);
    await page.goto("/dashboard/carriers/77");
    expect(await page.getByRole("heading", { name: "NEW CARRIER" }).count()).toBe(1);
    expect(await page.locator("#curl").count()).toBe(0);
  });

  // It was told to download the feed or to read it with the API, which such a plan lacks.
  it("is told to come back tomorrow when its previews are used up, and of downloads where it has rows", async () => {
    const path = "/dashboard/feeds/us_new_authority_weekly";
    for (const [email, rowsPerMonth, instead] of [
      ["desk@freight.example", 0, "the limit. Come back tomorrow."],
      ["desk-files@freight.example", 5, "the limit. Download the feed, or come back tomorrow."],
    ] as const) {
      const { page, accountId } = await customer(email, { rowsPerMonth });
      await usedPreviews(service.context, accountId, PREVIEWS_PER_DAY);
      expect((await page.goto(path))?.status()).toBe(429);
      expect(await page.getByRole("alert").textContent()).toContain(instead);
    }
  });

  it("downloads where it has rows", async () => {
    const { page } = await customer("downloads@freight.example", { rowsPerMonth: 5 });
    await page.goto("/dashboard/feeds/us_new_authority_weekly");
    const started = page.waitForEvent("download");
    await page.getByText("Download", { exact: true }).click();
    await page.getByRole("button", { name: "Download as CSV" }).click();
    expect((await started).suggestedFilename()).toBe("us_new_authority_weekly_2026-11-20.csv");
  });

  it("makes no key and no endpoint, however it asks", async () => {
    const { page, accountId } = await customer("asks@freight.example");
    await page.goto("/dashboard/keys");
    expect(await page.getByRole("button", { name: "Make a key" }).count()).toBe(0);
    await page.goto("/dashboard/webhooks");
    expect(await page.getByRole("button", { name: "Register" }).count()).toBe(0);
    const keys = await service.context.db.prisma.apiKey.count({ where: { accountId } });
    const endpoint = { url: "https://hooks.example.com/in", event_types: "new_authority_granted" };
    expect((await sendForm(page, "/keys", { name: "k" })).status()).toBe(403);
    expect((await sendForm(page, "/webhooks", endpoint)).status()).toBe(403);
    expect(await service.context.db.prisma.apiKey.count({ where: { accountId } })).toBe(keys);
    expect(await service.context.db.prisma.webhookEndpoint.count({ where: { accountId } })).toBe(0);
  });

  it("keeps what an account had before, to be looked at, revoked, paused and deleted", async () => {
    const { page, accountId } = await customer("before@freight.example");
    const { id } = await registerEndpoint(service.context, accountId);
    const { id: keyId } = await createKey(service.context, accountId, "before");
    await page.goto("/dashboard/keys");
    await page.getByText("refused until the plan has API access").waitFor();
    await page.getByRole("link", { name: "Revoke before" }).click();
    await page.getByRole("button", { name: "Revoke the key" }).click();
    expect(
      (await service.context.db.prisma.apiKey.findUniqueOrThrow({ where: { id: keyId } })).revokedAt,
    ).not.toBeNull();
    await page.goto(`/dashboard/webhooks/${id}`);
    await expectGoodLooks(page, "files-endpoint");
    expect(await page.getByRole("button", { name: "Send a test delivery" }).count()).toBe(0);
    for (const path of ["edit", "test", "rotate", "enable"]) {
      const form = { url: "https://hooks.example.com/other", event_types: "new_authority_granted" };
      if (path === "enable") await sendForm(page, `/webhooks/${id}/pause`);
      expect({ path, status: (await sendForm(page, `/webhooks/${id}/${path}`, form)).status() }).toEqual({
        path,
        status: 403,
      });
    }
    await page.goto(`/dashboard/webhooks/${id}/edit`);
    expect(await page.getByRole("button", { name: "Save" }).count()).toBe(0);
    await page.getByRole("link", { name: "Delete" }).click();
    await page.getByRole("button", { name: "Delete the endpoint" }).click();
    await page.getByText("No endpoint yet").waitFor();
  });

  it("is gone with the next plan", async () => {
    const { page, accountId } = await customer("upgrades@freight.example");
    const { planCode } = await service.createAccount({ feeds: FEEDS });
    await setPlan(service.context, accountId, planCode);
    await page.goto("/dashboard/keys");
    expect(await page.getByRole("heading", { name: "Your plan has no API access" }).count()).toBe(0);
    expect(await page.getByRole("button", { name: "Make a key" }).count()).toBe(1);
  });
});
