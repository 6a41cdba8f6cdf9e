// A sales desk filters 200 brokers in Texas, downloads them, saves the view and finds it again.
import { readFile } from "node:fs/promises";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { MOST_VIEWS } from "../../../../src/accounts/views/saved-views.ts";
import { setOwner } from "../../../support/accounts.ts";
import { expectGoodLooks, sendForm, signedInCustomer, signIn } from "../../../support/dashboard.ts";
import { feedRecord, publishFeed } from "../../../support/feeds/published-feed.ts";
import { openBrowser } from "../../../support/network/browser.ts";
import { type Hands, keyboard, pointer } from "../../../support/pages/hands.ts";
import { runTdf } from "../../../support/processes/command.ts";
import { startTestService, type TestService } from "../../../support/service.ts";

// A browser on a busy machine takes its time.
vi.setConfig({ testTimeout: 180_000 });

const FEED = "us_brokers";
const browser: Browser | null = await openBrowser();
let service: TestService;

beforeAll(async () => {
  service = await startTestService();
  const { context, clock } = service;
  const records = Array.from({ length: 450 }, (_, index) =>
    feedRecord(FEED, {
      company: `BROKER ${index}`,
      dot_number: String(3_000 + index),
      state: index < 200 ? "TX" : "CA",
    }),
  );
  await publishFeed(context.db, FEED, { records, asOf: "2026-11-20", now: clock.now() });
});
afterAll(async () => {
  await browser?.close();
  await service.stop();
});

async function visitor(options: BrowserContextOptions): Promise<Page> {
  const opened = await (browser as Browser).newContext({ baseURL: service.url, ...options });
  opened.setDefaultTimeout(15_000);
  return opened.newPage();
}

async function walk(page: Page, { press, type, tick }: Hands, email: string): Promise<void> {
  const { accountId } = await service.createAccount({ feeds: { [FEED]: null } });
  await setOwner(service.context, accountId, email);
  await signIn(page, service, email);
  const button = (name: string) => page.getByRole("button", { name, exact: true });
  const link = (name: string) => page.getByRole("link", { name, exact: true });
  const folded = (name: string | RegExp) => page.locator("summary").filter({ hasText: name });
  const feeds = page.getByRole("navigation", { name: "Dashboard" }).getByRole("link", { name: "Feeds" });

  await press(feeds);
  await press(link("Brokers and freight forwarders"));
  await page.getByText("450 companies, 450 rows of your quota.").waitFor();
  await press(folded(/^States: any/));
  await tick(page.getByRole("checkbox", { name: "TX", exact: true }));
  await press(button("Show rows"));
  await page.getByText("200 companies, 200 rows of your quota.").waitFor();

  await press(folded(/^Download$/));
  const started = page.waitForEvent("download");
  await press(button("Download as CSV"));
  const lines = (await readFile(await (await started).path(), "utf8")).trimEnd().split("\r\n");
  expect(lines).toHaveLength(1 + 200);

  await press(folded(/^Save this view$/));
  await type(page.getByLabel("Name of the view"), "Texas brokers");
  await press(button("Save"));
  await page.getByText("The view is saved.").waitFor();
  await page.getByText("0 rows of your quota.").waitFor();
  await press(feeds);
  await press(link("Texas brokers"));
  await page.getByText("1 to 50 of 200").waitFor();
  expect(await link("Texas brokers").getAttribute("aria-current")).toBe("true");
}

const DESK = { viewport: { width: 1280, height: 900 } };
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true };

describe.skipIf(browser === null)("a sales desk", () => {
  it.each([
    ["by pointer on a desk", DESK, pointer],
    ["by pointer on a phone", PHONE, pointer],
    ["by keyboard alone on a desk", DESK, keyboard],
    ["by keyboard alone on a phone", PHONE, keyboard],
    ["without a script", { ...DESK, javaScriptEnabled: false }, pointer],
  ])("filters, downloads, saves the view and finds it again, %s", async (way, options, hands) => {
    const page = await visitor(options);
    await walk(page, hands(page), `${way.replaceAll(" ", "-")}@freight.example`);
    await page.context().close();
  });
});

describe.skipIf(browser === null)("a saved view", () => {
  let page: Page;
  let accountId: number;
  beforeAll(async () => {
    const plan = { email: "saver@freight.example", feeds: { [FEED]: null } };
    ({ page, accountId } = await signedInCustomer(browser as Browser, service, plan));
  });

  const save = async (path: string, name: string) => {
    await page.goto(`/dashboard/feeds/${FEED}${path}`);
    await page.locator("summary").filter({ hasText: "Save this view" }).click();
    await page.getByLabel("Name of the view").fill(name);
    await page.getByRole("button", { name: "Save", exact: true }).click();
  };
  const row = (name: string) => page.getByRole("row", { name });

  it("keeps filters, columns and order, not the page, and is replaced by its name", async () => {
    await save("?state=TX&columns=phone,zip&sort=-state&page=3", "Mine");
    await page.getByText("The view is saved.").waitFor();
    await page.goto("/dashboard/feeds");
    expect(await row("Mine").textContent()).toContain("States: TX");
    await expectGoodLooks(page, "saved-views");
    await page.getByRole("link", { name: "Mine" }).click();
    expect(new URL(page.url()).search).toBe("?state=TX&columns=phone,zip&sort=-state");
    await save("?state=CA", "Mine");
    await page.goto("/dashboard/feeds");
    expect(await row("Mine").count()).toBe(1);
    expect(await row("Mine").textContent()).toContain("States: CA");
  });

  it("needs a name, and says at its field what is wrong", async () => {
    await save("?state=TX", "   ");
    expect(await page.getByRole("alert").textContent()).toContain("Name of the view: Write a name.");
    expect(await page.getByLabel("Name of the view").getAttribute("aria-invalid")).toBe("true");
    await page.getByText("1 to 50 of 200").waitFor();
    await expectGoodLooks(page, "view-without-name");
    const refused = await sendForm(page, `/feeds/${FEED}/views`, { view_name: "x".repeat(81), search: "" });
    expect(refused.status()).toBe(422);
    const wrong = await sendForm(page, `/feeds/${FEED}/views`, {
      view_name: "Wrong",
      search: "?state=Texas",
    });
    expect(wrong.status()).toBe(400);
    await page.goto("/dashboard/feeds");
    expect(await row("Wrong").count()).toBe(0);
  });

  it("is seen and deleted by its own account only", async () => {
    const plan = { email: "other@freight.example", feeds: { [FEED]: null } };
    const other = await signedInCustomer(browser as Browser, service, plan);
    const { id } = await service.context.db.prisma.savedView.findFirstOrThrow({ where: { accountId } });
    await other.page.goto(`/dashboard/feeds/${FEED}`);
    expect(await other.page.getByRole("link", { name: "Mine" }).count()).toBe(0);
    await sendForm(other.page, "/feeds/views/delete", { view: String(id) });
    await page.goto("/dashboard/feeds");
    await page.getByRole("button", { name: "Delete the view Mine" }).click();
    await page.getByText("The view was deleted.").waitFor();
    expect(await row("Mine").count()).toBe(0);
  });

  it("is one of at most 100 of an account, which can still be replaced", async () => {
    const views = Array.from({ length: MOST_VIEWS }, (_, index) => ({
      accountId,
      feedCode: FEED,
      name: `View ${index}`,
      search: "?state=TX",
      savedAt: service.clock.now(),
    }));
    await service.context.db.prisma.savedView.createMany({ data: views });
    await save("?state=CA", "One more");
    expect(await page.getByRole("alert").textContent()).toContain("100 saved views, which is the limit");
    await save("?state=CA", "View 7");
    await page.getByText("The view is saved.").waitFor();
    const { databaseUrl } = service.context.config;
    const left = () => service.context.db.prisma.savedView.count({ where: { accountId } });
    expect(await left()).toBe(MOST_VIEWS);
    // Closing the account deletes them, whatever else is kept.
    const env = { DATABASE_URL: databaseUrl ?? "", OPERATOR: "Olga" };
    const closed = await runTdf(env, "account", "close", String(accountId), "--keep-data");
    expect(closed.status, closed.err).toBe(0);
    expect(await left()).toBe(0);
  });
});
