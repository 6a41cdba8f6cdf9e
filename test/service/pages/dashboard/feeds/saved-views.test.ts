// Views of a feed that an account saves: what they keep, whose they are, how many there may be.
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { MOST_VIEWS } from "../../../../../src/accounts/views/saved-views.ts";
import { expectGoodLooks, sendForm, signedInCustomer } from "../../../../support/dashboard.ts";
import { publishBrokers } from "../../../../support/feeds/published-feed.ts";
import { openBrowser } from "../../../../support/network/browser.ts";
import { runTdf } from "../../../../support/processes/command.ts";
import { startTestService, type TestService } from "../../../../support/service.ts";

// A browser on a busy machine takes its time.
vi.setConfig({ testTimeout: 180_000 });

const FEED = "us_brokers";
const browser: Browser | null = await openBrowser();
let service: TestService;

beforeAll(async () => {
  service = await startTestService();
  await publishBrokers(service);
});
afterAll(async () => {
  await browser?.close();
  await service.stop();
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
    // Its address, which Enter in the address bar opens and signing in leads to, had no filters.
    await page.goto(page.url());
    expect(page.url()).toMatch(/us_brokers\?state=TX$/);
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
