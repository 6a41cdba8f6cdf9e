// The rows of a feed as a table for people: its order, its columns, its pages, and the same as a call of the API.
import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { pythonWheel, wheelName } from "../../../../../scripts/generate/packages/wheel.ts";
import { type Feed, FILTERS, feedOf } from "../../../../../src/feeds/catalogue.ts";
import { expectGoodLooks, signedInCustomer } from "../../../../support/dashboard.ts";
import { openBrowser } from "../../../../support/network/browser.ts";
import { keyboard } from "../../../../support/pages/hands.ts";
import { startTestService, type TestService } from "../../../../support/service.ts";
import { SOURCE_CONDITION } from "../../../../support/webhooks/example-receiver.ts";
import { BROKERS, CARRIERS, PENDING, publishExploredFeeds } from "./explored-feeds.ts";

// A browser on a busy machine takes its time.
vi.setConfig({ testTimeout: 120_000 });

const ROOT = path.join(import.meta.dirname, "../../../../..");
const run = promisify(execFile);

const browser: Browser | null = await openBrowser();
let service: TestService;
let page: Page;
let key: string;

beforeAll(async () => {
  service = await startTestService();
  await publishExploredFeeds(service);
  if (browser === null) return;
  const feeds = { [CARRIERS]: null, [PENDING]: null, [BROKERS]: null };
  const plan = { email: "reader@freight.example", feeds };
  ({ page, key } = await signedInCustomer(browser, service, plan));
});
afterAll(async () => {
  await browser?.close();
  await service.stop();
});

const HERE = `/dashboard/feeds/${CARRIERS}`;
const companies = () => page.getByRole("rowheader").allTextContents();
const cells = (column: number) => page.locator(`tbody tr > :nth-child(${column})`).allTextContents();
const link = (name: string | RegExp) => page.getByRole("link", { name });

describe.skipIf(browser === null)("the rows of a feed", () => {
  it("come 50 at a time, each page once, and none after the last", async () => {
    await page.goto(HERE);
    const seen = await companies();
    expect(seen).toHaveLength(50);
    await link("Next 50").click();
    await page.getByText("51 to 100 of 120").waitFor();
    seen.push(...(await companies()));
    await link("Next 20").click();
    await page.getByText("101 to 120 of 120").waitFor();
    seen.push(...(await companies()));
    expect(new Set(seen).size).toBe(120);
    expect(await link(/^Next/).count()).toBe(0);
    await page.goto(`${HERE}?page=99`);
    await page.getByText("101 to 120 of 120").waitFor();
  });

  it("are sorted by a column's head: up, down, then as the feed has them; unknown values come last", async () => {
    await page.goto(`${HERE}?columns=power_units,cancellation_pending`);
    const own = await companies();
    await link(/^Trucks/).click();
    await page.locator("[aria-sort=ascending]").waitFor();
    expect((await cells(2)).slice(0, 31)).toEqual([...Array(30).fill("1"), "2"]);
    const ofOne = (await companies()).slice(0, 30);
    expect(ofOne, "equal values keep the feed's order").toEqual(ofOne.toSorted());
    await link(/^Policy ends/).click();
    await page.locator("[aria-sort=ascending]").waitFor();
    expect((await cells(3))[0]).toBe("2026-12-10");
    await link(/^Policy ends/).click();
    await page.locator("[aria-sort=descending]").waitFor();
    const down = await cells(3);
    expect(down).toEqual(down.toSorted().toReversed());
    expect(down[0]).toBe("2026-12-18");
    for (const direction of ["", "-"]) {
      const visit = await page.goto(
        `${HERE}?columns=cancellation_pending&sort=${direction}cancellation_pending&page=3`,
      );
      expect(visit?.status()).toBe(200);
      expect((await cells(2)).slice(-13).map((day) => day === "–")).toEqual([false, ...Array(12).fill(true)]);
    }
    await page.goto(`${HERE}?columns=cancellation_pending&sort=-cancellation_pending`);
    await link(/^Policy ends/).click();
    await page.locator("th[aria-sort]").waitFor({ state: "detached" });
    expect(await companies()).toEqual(own);
  });

  it("are sorted by words as people read them and by days, within the filters", async () => {
    await page.goto(`${HERE}?state=TX,CA&columns=state,authority_granted&sort=state`);
    expect([...new Set(await cells(2))]).toEqual(["CA", "TX"]);
    await page.goto(`${HERE}?state=TX&columns=authority_granted&sort=-authority_granted`);
    await page.getByText("1 to 40 of 40").waitFor();
    const days = await cells(2);
    expect(days).toEqual(days.toSorted().toReversed());
    expect(days[0]).toBe("2026-07-15");
  });

  it("can be sorted, by keyboard too, by exactly the columns that filters read", async () => {
    const feed = feedOf(CARRIERS) as Feed;
    const read = ["state", "authority_granted", "last_verified", ...feed.allowedFilters].map((name) => {
      const filter = FILTERS.find((each) => each.name === name);
      return feed.columns.find((column) => column.name === (filter?.column ?? name));
    });
    const heads = new Set(read.flatMap((column) => (column && column.kind !== "list" ? column.label : [])));
    await page.goto(`${HERE}?columns=${feed.columns.map(({ name }) => name).join()}#rows`);
    const links = page.getByRole("columnheader").getByRole("link");
    expect((await links.allTextContents()).toSorted()).toEqual([...heads].toSorted());
    const { press } = keyboard(page);
    for (const [index, name] of (await links.allTextContents()).entries()) {
      // The focus is at the rows after sorting, so the next head is near.
      await press(links.nth(index));
      const sorted = page.locator("th[aria-sort=ascending]").filter({ hasText: name });
      await sorted.waitFor();
      expect(await page.locator("th[aria-sort]").count()).toBe(1);
      await page.getByText("120 companies. A download of all of them uses 120 rows of your quota.").waitFor();
    }
  });

  it("can't be sorted by a column that the version lacks", async () => {
    await page.goto(`/dashboard/feeds/${BROKERS}?columns=state,has_cell`);
    const heads = page.getByRole("columnheader");
    expect(await heads.allTextContents()).toEqual(["Company", "State", "Cell phone on file"]);
    expect(await heads.getByRole("link").allTextContents()).toEqual(["State"]);
  });

  it("are those of several insurers: the most frequent ones are ticked, others typed", async () => {
    await page.goto(HERE);
    await page.locator("summary").filter({ hasText: "Insurers: any" }).click();
    const boxes = page.getByRole("group", { name: "Insurers" }).getByRole("checkbox");
    expect(await boxes.count()).toBe(20);
    await page.getByRole("checkbox", { name: "Lloyds, London (30)", exact: true }).check();
    await page.getByLabel("Other insurers").fill("insurer 119");
    await page.getByRole("button", { name: "Show rows" }).click();
    await page.getByText("31 companies. A download of all of them uses 31 rows of your quota.").waitFor();
    expect(new URL(page.url()).search).toBe("?insurer_is=Lloyds,+London,insurer+119");
    await page.getByRole("link", { name: "Insurers: Lloyds, London, insurer 119" }).waitFor();
    await page
      .locator("summary")
      .filter({ hasText: /^Filters$/ })
      .click();
    const summary = page
      .locator("summary")
      .filter({ hasText: "Insurers: Lloyds, London (30), INSURER 119 (1)" });
    await summary.click();
    await expectGoodLooks(page, "insurers");

    await page.getByRole("checkbox", { name: "Lloyds, London (30)", exact: true }).uncheck();
    await page.getByRole("checkbox", { name: "TWIN ELK CO (60)", exact: true }).check();
    await page.getByLabel("Other insurers").fill("TWYN ELK");
    await page.getByRole("button", { name: "Show rows" }).click();
    await page.getByText("61 companies. A download of all of them uses 61 rows of your quota.").waitFor();
    await page.getByText("Insurers: no row has “TWYN ELK”. Choose whole names.").waitFor();
    // Columns, order and pages keep the filter.
    await page.goto(`${page.url().replace(/#.*/, "")}&sort=power_units`);
    await link("Next 11").click();
    await page.getByText("51 to 61 of 61").waitFor();
  });

  it("count companies where one has several rows", async () => {
    await page.goto(`/dashboard/feeds/${PENDING}`);
    await page
      .getByText("2 companies in 3 rows. A download of all of them uses 3 rows of your quota.")
      .waitFor();
  });

  it("have the columns that one ticks, and all of them by one link", async () => {
    await page.goto(HERE);
    expect(await page.getByRole("columnheader").count()).toBe(8);
    await page.getByText("Columns", { exact: true }).and(page.locator("summary")).click();
    await page.getByRole("checkbox", { name: "Trucks", exact: true }).uncheck();
    await page.getByRole("checkbox", { name: "ZIP code", exact: true }).check();
    await page.getByRole("button", { name: "Show these columns" }).click();
    const heads = await page.getByRole("columnheader").allTextContents();
    expect(heads).toContain("ZIP code");
    expect(heads).not.toContain("Trucks");
    expect(heads[0]).toBe("Company");
    await page.getByText("Columns", { exact: true }).and(page.locator("summary")).click();
    await link("Show all").click();
    expect(await page.getByRole("columnheader").count()).toBeGreaterThan(40);
    // Companies stay in sight while the other columns are scrolled.
    const company = page.getByRole("rowheader").first();
    const before = await company.boundingBox();
    await page.getByRole("region", { name: "Records" }).evaluate((region) => region.scrollBy(900, 0));
    expect((await company.boundingBox())?.x).toBe(before?.x);
  });
});

describe.skipIf(browser === null)("the same as a call of the API", () => {
  let folder: string;
  let env: NodeJS.ProcessEnv;
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), "tdf-calls-"));
    const wheel = path.join(folder, wheelName("1.1.0"));
    await writeFile(wheel, await pythonWheel(ROOT));
    env = { ...process.env, KEY: key, TDF_KEY: key, PYTHONPATH: wheel };
  });
  afterAll(() => rm(folder, { recursive: true }));

  const commands: Record<string, (code: string) => string[]> = {
    curl: (code) => ["bash", "-c", `${code} --silent --fail`],
    typescript: (code) => [
      process.execPath,
      SOURCE_CONDITION,
      "--input-type=module-typescript",
      "--eval",
      code,
    ],
    python: (code) => ["python3", "-c", code],
  };

  it.each(Object.entries(commands))(
    "runs as %s, with the rows that the page shows",
    async (language, commandOf) => {
      const filters =
        "state=TX,OH&cargo=produce&trucks_min=3&has_cell=false&since=2026-01-01&insurer_is=lloyds,+london,TWIN+ELK+CO";
      await page.goto(`${HERE}?${filters}&columns=state,power_units`);
      const shown = await companies();
      expect(shown.length).toBeGreaterThan(5);
      const code = (await page.locator(`#${language}`).textContent()) ?? "";
      const own = code.replaceAll(service.context.config.publicUrl, service.url);
      const [command, ...words] = commandOf(own) as [string, ...string[]];
      const { stdout } = await run(command, words, { cwd: ROOT, env });
      expect([...stdout.matchAll(/CARRIER \d+/g)].map(([name]) => name)).toEqual(shown);
    },
  );
});
