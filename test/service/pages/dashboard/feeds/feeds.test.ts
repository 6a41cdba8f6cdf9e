import { readFile } from "node:fs/promises";
import type { Browser } from "playwright-core";
import { describe, expect, it } from "vitest";
import { expectGoodLooks, openDashboard, signIn } from "../../../../support/dashboard.ts";
import { parquetRecords } from "../../../../support/feeds/parquet-records.ts";
import { feedRecord, lengthenRows, publishFeed } from "../../../../support/feeds/published-feed.ts";
import { memoryLog } from "../../../../support/memory-log.ts";
import { startTestService } from "../../../../support/service.ts";
import { visitorOf } from "../../../../support/visitor.ts";
import {
  accountId,
  browser,
  OWNER,
  page,
  quotaRowsUsed,
  service,
  tickState,
  useBrokersFeed,
} from "./brokers-feed.ts";

await useBrokersFeed();

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

  it.each([
    ["a connection that breaks", null, "The connection broke. Download it again. Rows"],
    ["an answer of a proxy", 502, "The service answered with status 502. Rows"],
  ])("tells of %s in whole sentences", async (_name, status, words) => {
    await page.goto("/dashboard/feeds/us_brokers?state=TX");
    await page.getByText("Download", { exact: true }).click();
    await page.route("**/export.csv?**", (route) =>
      status === null ? route.abort() : route.fulfill({ status, body: "Bad gateway" }),
    );
    await page.getByRole("button", { name: "Download as CSV" }).click();
    const state = page.getByText(/^The download failed: /);
    await state.waitFor();
    expect(await state.textContent()).toContain(words);
    await page.unroute("**/export.csv?**");
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

  it("keeps the columns and the order when the filters are cleared", async () => {
    const kept = "columns=phone,zip&sort=-state";
    await page.goto(`/dashboard/feeds/us_brokers?state=NY&${kept}&page=1`);
    for (const name of ["Clear the filters", "Clear"]) {
      const link = page.getByRole("link", { name, exact: true, includeHidden: true });
      expect(await link.getAttribute("href")).toMatch(/us_brokers\?columns=phone,zip&sort=-state$/);
    }
  });

  it("gives the call in numbers as languages write them", async () => {
    await page.goto("/dashboard/feeds/us_brokers?min_days_in_business=007");
    expect(await page.locator("#python").textContent()).toContain('{"min_days_in_business": 7}');
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
