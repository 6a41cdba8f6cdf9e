import type { Browser } from "playwright-core";
import { describe, expect, it } from "vitest";
import { callerOfAccount } from "../../../../../src/accounts/keys/caller.ts";
import { chargeRows } from "../../../../../src/accounts/usage/quota.ts";
import { readUsage } from "../../../../../src/accounts/usage/usage.ts";
import { recentEvents } from "../../../../../src/events/newest.ts";
import { setOwner } from "../../../../support/accounts.ts";
import {
  expectGoodLooks,
  openDashboard,
  signedInCustomer,
  signIn,
  usedPreviews,
} from "../../../../support/dashboard.ts";
import { parquetRecords } from "../../../../support/feeds/parquet-records.ts";
import { removeBusinesses } from "../../../../support/removals/removals.ts";
import { accountId, browser, page, service, useBrokersFeed } from "./brokers-feed.ts";

await useBrokersFeed();

describe.skipIf(browser === null)("the events' page", () => {
  it("tells them as sentences with their details folded, page by page, and filters them", async () => {
    await page.goto("/dashboard/events");
    const items = page.locator(".feed > li");
    expect(await items.count()).toBe(25);
    expect(await items.first().textContent()).toContain(
      "MC100001 CARRIER 29: authority reinstated on 19 November",
    );
    // Each day once, above its events.
    const days = await page.locator(".day > .hint").allTextContents();
    expect(days).toEqual([...new Set(days)]);
    expect(days[0]).toBe("19 November");
    expect(await items.first().getByText("Granted", { exact: true }).isVisible()).toBe(false);
    await items.first().locator("summary").click();
    expect(await items.first().getByText("pending → active").isVisible()).toBe(true);
    const [newest] = (
      await recentEvents(service.context, await callerOfAccount(service.context, accountId), { limit: 1 })
    ).events;
    expect(JSON.parse((await items.first().locator("code[id]").textContent()) ?? "")).toEqual(newest);
    await page.getByRole("link", { name: "Older events" }).click();
    await expect.poll(() => items.count()).toBe(5);
    await items.first().locator("summary").click();
    await expectGoodLooks(page, "events");
    await page.getByRole("link", { name: "Newest events" }).click();
    await expect.poll(() => items.count()).toBe(25);
    await page.getByLabel("USDOT number").fill("1004");
    await page.getByLabel("Type").selectOption("New authority granted");
    await page.getByRole("button", { name: "Show events" }).click();
    await expect.poll(() => items.count()).toBe(1);
    await page.getByLabel("States").fill("Ohio");
    await page.getByRole("button", { name: "Show events" }).click();
    expect(await page.getByRole("alert").textContent()).toContain("States: Write two-letter codes");
    await page.goto("/dashboard/events?usdot=77");
    await page.getByText("No event matches").waitFor();
  });

  it("says that a plan without any has none", async () => {
    const plan = { email: "none@freight.example", feeds: {} };
    const visit = await signedInCustomer(browser as Browser, service, plan);
    await visit.page.goto("/dashboard/events");
    await visit.page.getByText("Your plan includes no events").waitFor();
    expect(await visit.page.getByRole("button", { name: "Show events" }).count()).toBe(0);
    await visit.page.goto("/dashboard/feeds");
    await visit.page.getByText("Your plan includes no feed").waitFor();
  });
});

describe.skipIf(browser === null)("an account whose month is used up", () => {
  it("still looks at feeds and events, and can no longer download", async () => {
    const email = "spent@freight.example";
    const { accountId: id } = await service.createAccount({
      feeds: { us_brokers: null },
      rowsPerMonth: 10,
    });
    await setOwner(service.context, id, email);
    const caller = await callerOfAccount(service.context, id);
    await chargeRows(service.context, caller, "export", 10);
    const visit = await openDashboard(browser as Browser, service);
    await signIn(visit.page, service, email);
    await visit.page.goto("/dashboard/feeds/us_brokers");
    await visit.page.getByText("1 to 45 of 45, as of").waitFor();
    await visit.page.goto("/dashboard/events");
    expect(await visit.page.locator(".feed > li").count()).toBe(25);
    await visit.page.goto("/dashboard/feeds/us_brokers");
    await visit.page.getByText("0 rows are left: see Usage").waitFor();
    for (const format of ["csv", "ndjson", "parquet"]) {
      const refused = await visit.page.request.get(`/dashboard/feeds/us_brokers/export.${format}`);
      expect(refused.status()).toBe(429);
    }
    expect((await readUsage(service.context, caller)).usage.quota_rows).toBe(10);
  });

  // Previews are free: a program must not read whole feeds by them.
  it("looks at 200 previews a day, from any page, and goes on the next day", async () => {
    const email = "curious@freight.example";
    const plan = { email, feeds: { us_brokers: ["CA"] } };
    const { accountId: id, ...visit } = await signedInCustomer(browser as Browser, service, plan);
    await visit.page.goto("/dashboard/feeds");
    expect(await visit.page.getByRole("row", { name: /Brokers.* 30 .*fresh.* CA$/ }).count()).toBe(1);
    const look = (path: string) => visit.page.request.get(`/dashboard${path}`);
    await usedPreviews(service.context, id, 198);
    expect((await look("/feeds/us_brokers")).status()).toBe(200);
    expect((await look("/events")).status()).toBe(200);
    const response = await visit.page.goto("/dashboard/feeds/us_brokers");
    expect(response?.status()).toBe(429);
    expect(await visit.page.getByRole("alert").textContent()).toContain("come back tomorrow");
    expect((await look("/events")).status()).toBe(429);
    service.clock.advance(12 * 3_600_000);
    expect((await look("/events")).status()).toBe(200);
    service.clock.advance(-12 * 3_600_000);
  });
});

describe.skipIf(browser === null)("a removed business", () => {
  it("stands in no preview, no download and no event", async () => {
    await removeBusinesses(service.context.db, [1003], service.clock.now());
    await page.goto("/dashboard/feeds/us_brokers?state=TX");
    await page.getByText("1 to 14 of 14, as of").waitFor();
    expect(await page.content()).not.toContain("BROKER 3 ");
    await page.getByText("14 companies. A download of all of them uses 14 rows of your quota.").waitFor();
    await page.goto("/dashboard/feeds/us_brokers?state=TX&sort=state");
    await page.getByText("1 to 14 of 14, as of").waitFor();
    expect(await page.content()).not.toContain("BROKER 3 ");
    for (const format of ["csv", "ndjson"]) {
      const file = await page.request.get(`/dashboard/feeds/us_brokers/export.${format}`);
      expect(await file.text()).toContain("BROKER 6 ");
      expect(await file.text()).not.toContain("BROKER 3 ");
    }
    const parquet = await page.request.get("/dashboard/feeds/us_brokers/export.parquet");
    const dots = (await parquetRecords(await parquet.body())).map(({ dot_number }) => dot_number);
    expect([dots.includes("1006"), dots.includes("1003")]).toEqual([true, false]);
    await page.goto("/dashboard/events?usdot=1003");
    await page.getByText("No event matches").waitFor();
  });
});
