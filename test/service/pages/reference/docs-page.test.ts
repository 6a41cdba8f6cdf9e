// The reference at /docs, used as a customer uses it: a key is typed in, and "Try it out" is pressed as it stands.
import type { Browser, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { putEvents, setDetection } from "../../../support/events/events.ts";
import { feedRecord, publishFeed } from "../../../support/feeds/published-feed.ts";
import { openBrowser } from "../../../support/network/browser.ts";
import { startTestService, type TestService } from "../../../support/service.ts";

// A browser on a busy machine takes its time.
vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });

const DOT = "4312907";
const FEED = "us_new_authority_weekly";
const browser: Browser | null = await openBrowser();
let service: TestService;
let page: Page;
const requested: string[] = [];

beforeAll(async () => {
  if (browser === null) return;
  // The address that the service knows itself by is another one than the page is opened at.
  service = await startTestService({ env: { PUBLIC_URL: "https://feeds.example.com" } });
  const { db } = service.context;
  const records = [feedRecord(FEED, { dot_number: DOT })];
  await publishFeed(db, FEED, { records, asOf: "2026-11-20", now: service.clock.now() });
  await setDetection(db, { finishedAt: "2026-11-20T11:20:06Z", asOf: "2026-11-20" });
  await putEvents(db, [{}]);
  const { key } = await service.createAccount({ feeds: { [FEED]: null } });
  page = await browser.newPage();
  page.on("request", (request) => requested.push(request.url()));
  await page.goto(`${service.url}/docs`);
  await page.locator(".auth-wrapper .authorize").click();
  await page.locator(".auth-container input").fill(key);
  await page.locator(".auth-btn-wrapper .authorize").click();
  await page.locator(".auth-btn-wrapper .btn-done").click();
});
afterAll(async () => {
  await browser?.close();
  await service?.stop();
});

const block = (operation: string): Locator => page.locator(`.opblock[id$="-${operation}"]`);

async function open(operation: string): Promise<Locator> {
  const found = block(operation);
  await found.locator(".opblock-summary-control").click();
  await found.locator(".opblock-body").waitFor();
  return found;
}

/** What stands in the fields before anything is typed, by parameter. */
async function prefilled(opened: Locator): Promise<Record<string, string>> {
  const rows = await opened.locator("tr[data-param-name]").all();
  const filled = await Promise.all(
    rows.map(async (row) => {
      const inputs = await row.locator("input[type=text], select:not([multiple])").all();
      const values = await Promise.all(inputs.map((input) => input.inputValue()));
      return [await row.getAttribute("data-param-name"), values.join()];
    }),
  );
  return Object.fromEntries(filled.filter(([, value]) => value !== ""));
}

const OPERATIONS = [
  ["listFeeds", {}, "/v1/feeds"],
  [
    "readRecords",
    { code: FEED, page: "1", page_size: "100" },
    `/v1/feeds/${FEED}/records?page=1&page_size=100`,
  ],
  ["exportFeed", { code: FEED }, `/v1/feeds/${FEED}/export.csv`],
  ["lookUpCarrier", {}, `/v1/carriers/${DOT}`],
  ["readUsage", {}, "/v1/usage"],
  ["listEvents", { limit: "100" }, "/v1/events?limit=100"],
  ["listWebhooks", {}, "/v1/webhooks"],
] as const;

describe.skipIf(browser === null)("the reference in a browser", () => {
  it.each(OPERATIONS)(
    "%s works as it is prefilled, at the address the page is served from",
    async (...row) => {
      const [operation, fields, path] = row;
      const opened = await open(operation);
      await opened.locator(".try-out__btn").click();
      expect(await prefilled(opened)).toEqual(fields);
      // The one thing nobody can guess: without it nothing is sent.
      if (operation === "lookUpCarrier") {
        const before = requested.length;
        await opened.locator(".execute").click();
        expect(requested.slice(before)).toEqual([]);
        await opened.locator('tr[data-param-name="dot"] input').fill(DOT);
      }
      await opened.locator(".execute").click();
      const answer = opened.locator(".live-responses-table .response .response-col_status");
      await answer.waitFor();
      expect(await answer.textContent()).toMatch(/^200/);
      const curl = await opened.locator(".curl-command .curl").textContent();
      expect(curl).toContain(`'${service.url}${path}'`);
    },
  );

  it.each(["createWebhook", "pauseWebhook", "testWebhook", "rotateWebhookSecret", "requestRemoval"])(
    "%s changes something, so it can't be set off by a click",
    async (operation) => {
      const opened = await open(operation);
      expect(await opened.locator(".parameters-container, .opblock-section").count()).toBeGreaterThan(0);
      expect(await opened.locator(".try-out__btn, .execute").count()).toBe(0);
    },
  );

  it("shows the address it is served from in its first curl line, and asks nobody else", async () => {
    expect(await page.locator(".info .description").textContent()).toContain(`"${service.url}/v1/feeds"`);
    expect(await page.locator(".servers option").allTextContents()).toEqual([
      expect.stringContaining(service.url),
    ]);
    const elsewhere = requested.filter(
      (url) => !url.startsWith(`${service.url}/`) && !url.startsWith("data:"),
    );
    expect(elsewhere).toEqual([]);
  });
});
