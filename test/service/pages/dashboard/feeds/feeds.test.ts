import { readFile } from "node:fs/promises";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
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
import { putEvents, setDetection } from "../../../../support/events/events.ts";
import { parquetRecords } from "../../../../support/feeds/parquet-records.ts";
import { feedRecord, lengthenRows, publishFeed } from "../../../../support/feeds/published-feed.ts";
import { memoryLog } from "../../../../support/memory-log.ts";
import { openBrowser } from "../../../../support/network/browser.ts";
import { removeBusinesses } from "../../../../support/removals/removals.ts";
import { startTestService, type TestService } from "../../../../support/service.ts";
import { visitorOf } from "../../../../support/visitor.ts";

// A browser on a busy machine takes its time.
vi.setConfig({ testTimeout: 300_000 });

const OWNER = "owner@freight.example";

const browser: Browser | null = await openBrowser();
let service: TestService;
let accountId: number;
let page: Page;

beforeAll(async () => {
  service = await startTestService();
  const { db } = service.context;
  const records = Array.from({ length: 45 }, (_, place) =>
    feedRecord("us_brokers", {
      company: `BROKER ${place} <b>& SONS</b>`,
      dot_number: String(1_000 + place),
      state: place % 3 === 0 ? "TX" : "CA",
      authority_granted: "2026-10-01",
    }),
  );
  await publishFeed(db, "us_brokers", { records, asOf: "2026-11-20", now: service.clock.now() });
  await setDetection(db, { finishedAt: "2026-11-20T11:20:05Z", asOf: "2026-11-20" });
  await putEvents(
    db,
    Array.from({ length: 30 }, (_, place) => ({
      type: place % 2 === 0 ? ("new_authority_granted" as const) : ("reinstated" as const),
      usdot: 1_000 + place,
      state: place < 3 ? "CA" : "TX",
      data: {
        legal_name: `CARRIER ${place}`,
        reason: "Granted",
        status_before: "pending",
        status_after: "active",
      },
    })),
  );
  ({ accountId } = await service.createAccount({
    feeds: { us_brokers: null, us_revocation_pending: ["TX"] },
  }));
  await setOwner(service.context, accountId, OWNER);
  if (browser === null) return;
  ({ page } = await openDashboard(browser, service));
  await signIn(page, service, OWNER);
});
afterAll(async () => {
  await browser?.close();
  await service.stop();
});

const quotaRowsUsed = async (): Promise<number> =>
  (await readUsage(service.context, await callerOfAccount(service.context, accountId))).usage.quota_rows;

/** Ticks a state, as a person does, and asks for the rows. */
async function tickState(where: Page, state: string): Promise<void> {
  await where.getByText(/^States: /).click();
  await where.getByRole("checkbox", { name: state, exact: true }).check();
  await where.getByRole("button", { name: "Show rows" }).click();
}

describe.skipIf(browser === null)("a feed's page", () => {
  it("shows the plan's feeds with their freshness", async () => {
    await page.goto("/dashboard/feeds");
    expect(
      await page
        .getByRole("row", { name: /Brokers and freight forwarders.* 45 .*fresh.*2026-11-20/ })
        .count(),
    ).toBe(1);
    expect(await page.getByRole("row", { name: /Revocation pending.*not live yet.*TX/ }).count()).toBe(1);
    await expectGoodLooks(page, "feeds");
  });

  it("explains its columns", async () => {
    await page.goto("/dashboard/feeds/us_brokers");
    await page.getByRole("link", { name: "Columns" }).click();
    expect(
      await page
        .getByRole("row", { name: /^Kind of business entity_type .*broker, freight_forwarder/ })
        .count(),
    ).toBe(1);
  });

  it("shows rows at once, and what its filters leave, with the curl line that gives the same, and charges nothing", async () => {
    await page.goto("/dashboard/feeds/us_brokers");
    await page.getByText("1 to 45 of 45, as of").waitFor();
    const before = await quotaRowsUsed();
    await tickState(page, "TX");
    await page.getByText("1 to 15 of 15, as of").waitFor();
    expect(await page.getByRole("rowheader", { name: "BROKER 0 <b>& SONS</b>" }).count()).toBe(1);
    expect(await page.locator("#curl").textContent()).toContain(
      "/v1/feeds/us_brokers/records?state=TX&fields=company,state,entity_type",
    );
    expect(await quotaRowsUsed()).toBe(before);
    await page.getByRole("link", { name: "States: TX" }).click();
    await page.getByText("1 to 45 of 45, as of").waitFor();
  });

  it("downloads what its filters leave, telling how far it is", async () => {
    await page.goto("/dashboard/feeds/us_brokers");
    await tickState(page, "CA");
    await page.getByText("30 companies. A download of all of them uses 30 rows of your quota.").waitFor();
    await page.getByText("Download", { exact: true }).click();
    const before = await quotaRowsUsed();
    const rowsOf: Record<string, (file: Buffer) => unknown> = {
      CSV: (file) => file.toString().split("\r\n").slice(1, -1).length,
      NDJSON: (file) => file.toString().split("\n").slice(0, -1).length,
      Parquet: async (file) => (await parquetRecords(file)).length,
    };
    for (const [format, count] of Object.entries(rowsOf)) {
      const started = page.waitForEvent("download");
      await page.getByRole("button", { name: `Download as ${format}` }).click();
      const download = await started;
      expect(download.suggestedFilename()).toBe(`us_brokers_2026-11-20.${format.toLowerCase()}`);
      expect(await count(await readFile(await download.path()))).toBe(30);
      await page.getByText(/^Done: 30 rows, 0.0 MB.$/).waitFor();
      expect((await quotaRowsUsed()) - before).toBe(30);
    }
  });

  // The page to sign in was saved as a file of 0 rows.
  it("saves no file when the session has ended", async () => {
    const visitor = await openDashboard(browser as Browser, service);
    await signIn(visitor.page, service, OWNER);
    await visitor.page.goto("/dashboard/feeds/us_brokers?state=TX");
    await visitor.page.getByText("Download", { exact: true }).click();
    await visitor.visitor.clearCookies();
    await visitor.page.getByRole("button", { name: "Download as CSV" }).click();
    const state = visitor.page.getByText(/^The download failed: |^Done: /);
    await state.waitFor();
    expect(await state.textContent()).toContain("You are not signed in any more.");
    await visitor.visitor.close();
  });

  it("has its files at addresses of their own, with type, rows and name, and HEAD is free", async () => {
    const before = await quotaRowsUsed();
    const types = {
      csv: "text/csv; charset=utf-8",
      ndjson: "application/x-ndjson",
      parquet: "application/vnd.apache.parquet",
    };
    for (const [format, type] of Object.entries(types)) {
      const answer = await page.request.head(`/dashboard/feeds/us_brokers/export.${format}?state=TX`);
      expect([answer.status(), answer.headers()]).toMatchObject([
        200,
        {
          "content-type": type,
          "x-row-count": "15",
          "content-disposition": `attachment; filename=us_brokers_2026-11-20.${format}`,
        },
      ]);
    }
    expect((await page.request.get("/dashboard/feeds/us_brokers/export.xlsx")).status()).toBe(404);
    expect(await quotaRowsUsed()).toBe(before);
  });

  it("says what is wrong with a filter, and downloads nothing by it", async () => {
    await page.goto("/dashboard/feeds/us_brokers?state=Texas,TX&min_days_in_business=few");
    expect(await page.getByRole("alert").textContent()).toContain("States: “Texas” is not known.");
    expect(await page.getByRole("checkbox", { name: "TX" }).isChecked()).toBe(true);
    expect(await page.getByLabel("Days in business, at least").inputValue()).toBe("few");
    await expectGoodLooks(page, "feed-refused");
    const refused = await page.request.get("/dashboard/feeds/us_brokers/export.csv?state=Texas");
    expect(refused.status()).toBe(400);
  });

  // A misspelled filter was left out in silence, and the whole feed was charged.
  it.each(["sate=TX", "state=TX&sate=", "cargo=meat"])(
    "downloads and charges nothing for a filter that the feed lacks: %s",
    async (query) => {
      const before = await quotaRowsUsed();
      const refused = await page.request.get(`/dashboard/feeds/us_brokers/export.csv?${query}`);
      expect(refused.status()).toBe(400);
      const name = query.split(/[&=]/).at(-2) as string;
      expect(await refused.text()).toContain(`${name}: The feed has no such filter.`);
      expect(await quotaRowsUsed()).toBe(before);
    },
  );

  it("downloads by the address of the page, with its columns, order and page", async () => {
    const address = "/dashboard/feeds/us_brokers/export.csv?state=TX&columns=phone&sort=-zip&page=2&done=x";
    expect((await page.request.head(address)).headers()["x-row-count"]).toBe("15");
  });

  it("writes what boxes and empty fields send as a short address", async () => {
    await page.goto("/dashboard/feeds/us_brokers?state=TX&state=CA&insurer=&columns=phone&columns=zip");
    expect(new URL(page.url()).search).toBe("?state=TX,CA&columns=phone,zip");
    expect(await page.getByRole("columnheader").allTextContents()).toEqual(["Company", "Phone", "ZIP code"]);
    await page.goto("/dashboard/feeds/us_brokers?colour=red&columns=phone,tail&sort=company");
    await page.getByText("Left out, because the feed does not have it: colour, tail, company.").waitFor();
  });

  it("says when nothing matches, the feed is not live, or is not in the plan", async () => {
    await page.goto("/dashboard/feeds/us_brokers?state=NY");
    await page.getByText("No record matches").waitFor();
    expect(await page.locator("main").textContent()).toMatch(/0 companies\. Looking at rows here is free/);
    expect(await page.getByText("Download", { exact: true }).count()).toBe(0);
    await page.goto("/dashboard/feeds/us_revocation_pending");
    await page.getByText("This feed is not live yet").waitFor();
    await page.goto("/dashboard/feeds/us_small_carriers_active");
    expect(await page.getByRole("alert").textContent()).toContain("Your plan includes no feed");
    await expectGoodLooks(page, "problem");
  });
});

// After a switch of accounts in another tab, the account that was switched to was charged.
it("a download by a page of another account is not sent and charges nobody", async () => {
  const before = await quotaRowsUsed();
  const { accountId: second } = await service.createAccount({ feeds: { us_brokers: null } });
  const { text } = await (await visitorOf(service, second)).open("/feeds/us_brokers?state=TX");
  const [form = ""] = /<form method="get" action="[^"]*\/export\.csv">[\s\S]*?<\/form>/.exec(text) ?? [];
  const fields = [...form.matchAll(/type="hidden" name="([^"]+)" value="([^"]*)"/g)];
  const query = new URLSearchParams(fields.map(([, name = "", value = ""]) => [name, value]));
  const address = `/feeds/us_brokers/export.csv?${query}`;
  const refused = await (await visitorOf(service, accountId)).open(address);
  expect(refused).toMatchObject({
    status: 403,
    text: expect.stringContaining("nothing was sent or charged"),
  });
  expect(await quotaRowsUsed()).toBe(before);
  expect((await (await visitorOf(service, second)).open(address)).status).toBe(200);
});

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

// Each was an error with a stack in the log, as if the service had failed.
it("a download that its person cancels is no error in the log", async () => {
  const { log, lines } = memoryLog();
  const large = await startTestService({ log });
  const { db } = large.context;
  const records = Array.from({ length: 1_000 }, (_, index) =>
    feedRecord("us_brokers", { dot_number: String(index + 1) }),
  );
  const version = await publishFeed(db, "us_brokers", {
    records,
    asOf: "2026-11-20",
    now: large.clock.now(),
  });
  // More than the buffers of a connection hold.
  await lengthenRows(db.bulkPool, version, 200);
  const { accountId: id } = await large.createAccount({ feeds: { us_brokers: null } });
  const answer = await (await visitorOf(large, id)).get("/feeds/us_brokers/export.csv");
  expect(answer.status).toBe(200);
  await answer.body?.cancel();
  const broken = () => lines().filter(({ err }) => err !== undefined);
  await expect.poll(broken, { timeout: 60_000 }).toHaveLength(1);
  expect(broken()).toMatchObject([{ level: "debug", msg: "An answer broke off." }]);
  await large.stop();
});
