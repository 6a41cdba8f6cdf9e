// The pictures of a feed have the figures of the API.
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { expectGoodLooks, signedInCustomer, signIn } from "../../../../support/dashboard.ts";
import { feedRecord, publishFeed } from "../../../../support/feeds/published-feed.ts";
import { openBrowser } from "../../../../support/network/browser.ts";
import { removeBusinesses, undoRemovals } from "../../../../support/removals/removals.ts";
import { startTestService, type TestService } from "../../../../support/service.ts";

// A browser on a busy machine takes its time.
vi.setConfig({ testTimeout: 120_000 });

const FEED = "us_small_carriers_active";
const browser: Browser | null = await openBrowser();
let service: TestService;
let page: Page;
let key: string;

/** Carriers from one number on: 40 of TX, 12 of CA, 3 of OH, one of PR, one whose state is not known, and so on. */
const STATES = [
  ...Array<string>(40).fill("TX"),
  ...Array<string>(12).fill("CA"),
  ...Array<string>(3).fill("OH"),
  "PR",
  null,
];
const carriers = (from: number, count: number) =>
  Array.from({ length: count }, (_, index) =>
    feedRecord(FEED, {
      dot_number: String(from + index),
      state: STATES[(from + index) % STATES.length] ?? null,
    }),
  );

beforeAll(async () => {
  service = await startTestService();
  const { context, clock } = service;
  const publish = (records: ReturnType<typeof carriers>, asOf: string) =>
    publishFeed(context.db, FEED, { records, asOf, now: clock.now() });
  await publish(carriers(5_000, 100), "2026-11-17");
  await publish(carriers(5_010, 110), "2026-11-18");
  await publish(carriers(5_010, 100), "2026-11-19");
  if (browser === null) return;
  const plan = { email: "numbers@freight.example", feeds: { [FEED]: null } };
  ({ page, key } = await signedInCustomer(browser, service, plan));
});
afterAll(async () => {
  await browser?.close();
  await service.stop();
});

const HERE = `/dashboard/feeds/${FEED}/numbers`;

/** The colours of the marks of each legend, and the tabs with a line below. Only the browser knows them. */
const LEGEND_COLOURS = `[...document.querySelectorAll(".legend")].map((legend) =>
  [...legend.querySelectorAll(".key")].map((key) => getComputedStyle(key, "::before").backgroundColor))`;
const UNDERLINED_TABS = `[...document.querySelectorAll(".tabs a")]
  .filter((tab) => getComputedStyle(tab).borderBottomWidth !== "0px").map((tab) => tab.textContent.trim())`;

async function api<Answer>(path: string): Promise<Answer> {
  const answer = await service.get(`/v1/feeds/${FEED}${path}`, key);
  expect(answer.status).toBe(200);
  return (await answer.json()) as Answer;
}

/** The cells of a folded table, row by row. */
const rowsOf = (label: string) =>
  page
    .getByRole("region", { name: label, includeHidden: true })
    .locator("tbody tr")
    .evaluateAll((rows) => rows.map((row) => [...row.children].map((cell) => cell.textContent ?? "")));

interface Counted {
  rows: number;
  by: { value: string | null; rows: number }[];
}

describe.skipIf(browser === null)("a feed in numbers", () => {
  it("has a map and a table of its rows by state, which are those of the API, without removed businesses", async () => {
    const compare = async () => {
      await page.goto(HERE);
      const { rows, by } = await api<Counted>("/count?by=state");
      const known = by.filter(({ value }) => value !== null);
      const tiles = await page.locator(".tile title").allTextContents();
      expect(tiles).toHaveLength(56);
      expect(tiles.filter((text) => !text.endsWith(": 0 rows")).toSorted()).toEqual(
        known.map(({ value, rows: count }) => `${value}: ${count} rows`).toSorted(),
      );
      expect((await rowsOf("Rows by state")).map(([state, count]) => [state, count])).toEqual(
        by.map(({ value, rows: count }) => [value ?? "not known", String(count)]),
      );
      expect(by.reduce((sum, each) => sum + each.rows, 0)).toBe(rows);
      return rows;
    };
    expect(await compare()).toBe(100);
    await removeBusinesses(service.context.db, [5_020, 5_021], service.clock.now());
    expect(await compare()).toBe(98);
    await undoRemovals(service.context.db);
    await expectGoodLooks(page, "feed-numbers");
  });

  it("has a legend whose shades are those of the tiles", async () => {
    await page.goto(HERE);
    const legend = await page.locator(".map .key").evaluateAll((keys) =>
      keys.map(({ className, textContent }) => ({
        shade: className.replace("key ", ""),
        text: textContent ?? "",
      })),
    );
    const tiles = await page.locator(".tile").evaluateAll((all) =>
      all.map((tile) => ({
        shade: (tile.getAttribute("class") ?? "").replace("tile ", ""),
        value: Number(/: (\d+)/.exec(tile.querySelector("title")?.textContent ?? "")?.[1]),
      })),
    );
    for (const { shade, value } of tiles) {
      const { text } = legend.find((each) => each.shade === shade) ?? { text: "" };
      const [from, to = from] = (/(\d+)(?: to (\d+))?/.exec(text) ?? []).slice(1).filter(Boolean).map(Number);
      if (value === 0) expect(text).toBe("none");
      else expect([value >= Number(from), value <= Number(to)], `${value} in ${text}`).toEqual([true, true]);
    }
    expect(new Set(tiles.map(({ shade }) => shade)).size).toBeGreaterThan(2);
  });

  // The marks are grounds of empty elements, which a system with colours of its own takes away.
  it("has a legend that tells series and shades apart, and marks one tab, also in the colours of the system", async () => {
    await page.goto(HERE);
    await page.emulateMedia({ forcedColors: "active" });
    const colours = await page.evaluate<string[][]>(LEGEND_COLOURS);
    expect(colours.map((keys) => keys.length)).toEqual(colours.map((keys) => new Set(keys).size));
    expect(colours.flat().length).toBeGreaterThan(4);
    expect(await page.evaluate<string[]>(UNDERLINED_TABS)).toEqual(["In numbers"]);
    await page.emulateMedia({ forcedColors: "none" });
  });

  it("has the size of each day with what it added and removed, which are those of the API's versions", async () => {
    await page.goto(HERE);
    type Version = { as_of: string; rows: number; added: number; changed: number; removed: number };
    const { data } = await api<{ data: Version[] }>("/versions");
    expect(data.map(({ rows, added, removed }) => [rows, added, removed])).toEqual([
      [100, 0, 10],
      [110, 20, 10],
      [100, null, null],
    ]);
    expect(await rowsOf("Size by day")).toEqual(
      data.map(({ as_of, rows, added, changed, removed }) =>
        [as_of, rows, added, changed, removed].map((value) => String(value ?? "–")),
      ),
    );
    const points = await page.locator("svg.wide circle title").allTextContents();
    expect(points).toEqual(data.toReversed().map(({ as_of, rows }) => `${as_of}: ${rows}`));
    const bars = await page.locator("svg.wide .bar .shown").allTextContents();
    expect(bars.at(-1)).toBe("2026-11-19: 0 added, 10 removed");
    const zero = Number(await page.locator("svg.wide .zero").last().getAttribute("y1"));
    const boxes = await page.locator("svg.wide .bar").evaluateAll((all) =>
      all.map((bar) =>
        ["good", "bad"].map((tone) => {
          const rect = bar.querySelector(`rect.${tone}`);
          const [top, height] = ["y", "height"].map((name) => Number(rect?.getAttribute(name)));
          return { top, bottom: Number(top) + Number(height) };
        }),
      ),
    );
    // What was added stands on the line of zero, and what was removed hangs from it.
    for (const [added, removed] of boxes) {
      expect(added?.bottom).toBeCloseTo(zero, 0);
      expect(removed?.top).toBeCloseTo(zero, 0);
      expect(removed?.bottom).toBeGreaterThan(zero + 20);
    }
  });

  it("says when the feed is not served", async () => {
    service.clock.advance(10 * 86_400_000);
    await signIn(page, service, "numbers@freight.example");
    await page.goto(HERE);
    expect(await page.getByRole("alert").textContent()).toContain("2026-11-19");
    service.clock.advance(-10 * 86_400_000);
  });
});
