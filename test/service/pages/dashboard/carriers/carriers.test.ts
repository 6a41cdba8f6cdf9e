import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { callerOfAccount } from "../../../../../src/accounts/keys/caller.ts";
import { readUsage } from "../../../../../src/accounts/usage/usage.ts";
import { updateNames } from "../../../../../src/feeds/names/names.ts";
import { refreshWords } from "../../../../../src/registry/vocabularies/words.ts";
import { expectGoodLooks, signedInCustomer, usedPreviews } from "../../../../support/dashboard.ts";
import { putEvents, setDetection } from "../../../../support/events/events.ts";
import { type FeedRecord, feedRecord, publishFeed } from "../../../../support/feeds/published-feed.ts";
import { openBrowser } from "../../../../support/network/browser.ts";
import { putRegistryRow } from "../../../../support/registry/registry-rows.ts";
import { blankContacts, removeBusinesses } from "../../../../support/removals/removals.ts";
import { putRows } from "../../../../support/rows.ts";
import { startTestService, type TestService } from "../../../../support/service.ts";

// A browser on a busy machine takes its time.
vi.setConfig({ testTimeout: 300_000 });

const browser: Browser | null = await openBrowser();
let service: TestService;
let page: Page;
let accountId: number;
let key: string;

const FEEDS = { us_brokers: ["TX"], us_small_carriers_active: null };

beforeAll(async () => {
  service = await startTestService();
  const { db } = service.context;
  const publish = (code: "us_brokers" | "us_small_carriers_active", records: FeedRecord[]) =>
    publishFeed(db, code, {
      records: records.map((record) => feedRecord(code, record)),
      asOf: "2026-11-20",
      now: service.clock.now(),
    });
  const forest = {
    dot_number: "77",
    company: "FOREST RIDGE <b>FREIGHT</b> INC",
    docket_number: "MC1261137",
    phone: "5125550177",
  };
  await publish("us_brokers", [
    { ...forest, state: "TX" },
    { dot_number: "78", company: "ELSEWHERE LLC", docket_number: "MC78", state: "CA" },
    { dot_number: "79", company: "TWIN ONE", docket_number: "MC79", state: "TX" },
    { dot_number: "80", company: "TWIN TWO", docket_number: "MC79", state: "TX" },
    { dot_number: "81", company: "PRIVATE PHONE", docket_number: "MC81", state: "TX", phone: "5125550181" },
  ]);
  await publish("us_small_carriers_active", [{ ...forest, state: "TX", power_units: 4 }]);
  const dockets = [
    ["MC1261137", 77],
    ["MC999", 77],
    ["MC78", 78],
    ["MC79", 79],
    ["MC79", 80],
    ["MC81", 81],
  ] as const;
  const names: Readonly<Record<number, string>> = {
    77: "FOREST RIDGE FREIGHT INC",
    78: "ELSEWHERE LLC",
    79: "TWIN ONE",
    80: "TWIN TWO",
    81: "PRIVATE PHONE",
  };
  const brokers = dockets.map(([docket, usdot]) => ({
    docket,
    usdot,
    authority_class: "broker",
    registry_name: names[usdot],
  }));
  await putRows(db.pool, "authority", ...brokers);
  await updateNames(service.context);
  await putRegistry(service.context);
  await setDetection(db, { finishedAt: "2026-11-20T11:20:05Z", asOf: "2026-11-20" });
  await putEvents(db, [
    { type: "reinstated", usdot: 77, docket: "MC1261137", data: { legal_name: "FOREST RIDGE FREIGHT INC" } },
    { type: "revocation_pending", usdot: 77, docket: "MC1261137", data: { reason: "Not in this plan" } },
  ]);
  if (browser === null) return;
  const plan = { email: "owner@freight.example", feeds: FEEDS };
  ({ page, accountId, key } = await signedInCustomer(browser, service, plan));
});
afterAll(async () => {
  await browser?.close();
  await service.stop();
});

/** A grant in the registry's history. */
const putRegistry = ({ db }: TestService["context"]) =>
  db.transaction(async (client) => {
    const grant = { docket: "MC1261137", usdot: 77, reason: "Granted", changed_on: "2026-02-25" };
    await putRegistryRow(client, "motus_authhist", grant);
    await refreshWords(client, new Set(["motus_authhist"]));
  });

/** Finds a company as people do, from whatever page is open. */
async function find(typed: string): Promise<void> {
  await page.getByRole("search").getByRole("searchbox").fill(typed);
  await page.getByRole("button", { name: "Find company" }).click();
}

const statusOf = async (path: string) => (await page.request.get(`/dashboard${path}`)).status();

describe.skipIf(browser === null)("the search for a company", () => {
  it.each(["", "/feeds", "/events", "/webhooks", "/keys", "/usage"])("is on /dashboard%s", async (path) => {
    await page.goto(`/dashboard${path}`);
    expect(await page.getByRole("search").count()).toBe(1);
  });

  it.each([
    "77",
    "00000077",
    "USDOT 77",
    "US DOT 77",
    "U.S. DOT 77",
    "USDOT No. 77",
    "MC No. 1261137",
    "MC-1261137",
    "mc 1261137",
    "MC999",
    "forest ridge",
    "Ridge forrest",
  ])("finds by %s", async (typed) => {
    await page.goto("/dashboard/usage");
    await find(typed);
    await page.getByRole("heading", { name: "FOREST RIDGE <b>FREIGHT</b> INC" }).waitFor();
    expect(new URL(page.url()).pathname).toBe("/dashboard/carriers/77");
  });

  it("shows what the API gives, with the newest events as sentences, and charges nothing", async () => {
    const caller = await callerOfAccount(service.context, accountId);
    const before = (await readUsage(service.context, caller)).usage;
    await page.goto("/dashboard/carriers/77");
    expect((await readUsage(service.context, caller)).usage).toEqual(before);
    const answer = await service.get("/v1/carriers/77", key);
    const { records, events } = (await answer.json()) as { records: unknown[]; events: { id: number }[] };
    await page.getByText("Every column of your feeds").click();
    expect(await page.getByRole("columnheader", { name: "as of 2026-11-20" }).count()).toBe(records.length);
    expect(await page.getByRole("row", { name: /^Phone 5125550177/ }).count()).toBe(1);
    expect(await page.locator(".feed > li:has(details)").count()).toBe(events.length);
    await page.getByText("MC1261137 FOREST RIDGE FREIGHT INC: authority reinstated on 19 November").waitFor();
    expect(await page.content()).not.toContain("Not in this plan");
    expect(await page.locator("#curl").textContent()).toContain("/v1/carriers/77'");
    await page.getByText("This request charges 2 rows").waitFor();
    await page
      .getByRole("row", { name: /^25 February 2026 Authority granted MC1261137 carrier of property/ })
      .waitFor();
    await page.locator(".feed details").first().locator("summary").click();
    await expectGoodLooks(page, "carrier");
  });

  it("says that no company of the plan has the number, whether or not another plan's has", async () => {
    await page.goto("/dashboard/carriers/78");
    await page.getByText("No company of your plan has USDOT number 78").waitFor();
    const there = (await page.locator("main").innerHTML()).replaceAll("78", "N");
    expect(await page.content()).not.toContain("ELSEWHERE");
    await page.goto("/dashboard/carriers/99");
    expect((await page.locator("main").innerHTML()).replaceAll("99", "N")).toBe(there);
    for (const path of ["/carriers/78", "/carriers/99", "/carriers/abc", "/carriers/0"]) {
      expect({ path, status: await statusOf(path) }).toEqual({ path, status: 404 });
    }
  });

  it.each(["MC78", "FF1", "elsewhere"])(
    "finds no company by %s, which the plan does not have",
    async (typed) => {
      await page.goto("/dashboard");
      await find(typed);
      await page.getByText("No company of your plan was found").waitFor();
      expect(await page.content()).not.toMatch(/ELSEWHERE|FOREST/);
      expect(await statusOf(`/carriers?company=${typed}`)).toBe(404);
      await expectGoodLooks(page, "carrier-not-found");
    },
  );

  it.each(["MC79", "twin"])("lets people choose between several companies of %s", async (typed) => {
    await page.goto("/dashboard");
    await find(typed);
    await page.getByText("2 companies of your plan").waitFor();
    await expectGoodLooks(page, "carriers-found");
    await page.getByRole("link", { name: "TWIN TWO" }).click();
    await page.getByRole("heading", { name: "TWIN TWO" }).waitFor();
  });

  it("begins with the key /, but not while someone types", async () => {
    await page.goto("/dashboard/feeds");
    await page.keyboard.press("/");
    const field = page.getByRole("search").getByRole("searchbox");
    await page.keyboard.type("a/b");
    expect(await field.inputValue()).toBe("a/b");
  });

  it("says what it needs when it was given something else", async () => {
    await page.goto("/dashboard");
    await find("<b>");
    await page.getByText("A name has at least 3 letters or digits.").waitFor();
    const field = page.getByLabel("Name, USDOT or docket number", { exact: true });
    expect(await field.inputValue()).toBe("<b>");
    expect(await statusOf("/carriers?company=ab")).toBe(400);
    expect(await statusOf("/carriers?company=abc%00def")).toBe(400);
    await expectGoodLooks(page, "carrier-refused");
    expect(await statusOf("/carriers")).toBe(200);
  });

  it("shows neither a removed business nor one with a blanked contact", async () => {
    const { db, clock } = service.context;
    for (const path of ["/carriers/80", "/carriers/81"]) expect(await statusOf(path)).toBe(200);
    await removeBusinesses(db, [80], clock.now());
    await blankContacts(db, ["5125550181"], clock.now());
    for (const path of ["/carriers/80", "/carriers/81", "/carriers?company=MC81"]) {
      expect({ path, status: await statusOf(path) }).toEqual({ path, status: 404 });
    }
    // Only one of the two companies with this docket number is left.
    await page.goto("/dashboard/carriers?company=MC79");
    await page.getByRole("heading", { name: "TWIN ONE" }).waitFor();
  });

  it("says when the feeds are stale", async () => {
    service.clock.advance(10 * 24 * 3_600_000);
    const { page: late } = await signedInCustomer(browser as Browser, service, {
      email: "late@freight.example",
      feeds: FEEDS,
    });
    const answer = await late.goto("/dashboard/carriers/77");
    service.clock.advance(-10 * 24 * 3_600_000);
    expect(answer?.status()).toBe(503);
    expect(await late.getByRole("alert").textContent()).toContain("are stale: they are of 2026-11-20");
  });

  // Free: a program must not search whole feeds by it.
  it("counts as a free preview, found or not", async () => {
    const other = await signedInCustomer(browser as Browser, service, {
      email: "curious@freight.example",
      feeds: FEEDS,
    });
    await usedPreviews(service.context, other.accountId, 197);
    const look = async (path: string) =>
      (await other.page.request.get(`/dashboard/carriers${path}`)).status();
    expect(await look("/77")).toBe(200);
    expect(await look("/78")).toBe(404);
    expect(await look("?company=MC78")).toBe(404);
    expect(await look("/77")).toBe(429);
    expect(await look("?company=MC1261137")).toBe(429);
  });
});
