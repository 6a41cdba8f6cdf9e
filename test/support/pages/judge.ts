// What every page has to be, in a browser.
import type { Browser, BrowserContext, BrowserContextOptions, CDPSession, Page } from "playwright-core";
import { expect } from "vitest";
import { PATIENCE_MS } from "../network/browser.ts";
import {
  ask,
  expectAccessible,
  expectFits,
  expectWholeOnPaper,
  inTheDark,
  setSize,
  WIDTHS,
} from "./looks.ts";
import type { ListedPage } from "./page-list.ts";
import type { ShownService } from "./shown-service.ts";

const MOST_BYTES = 300_000;
/** Of the share of the window that moves, times how far. */
const MOST_SHIFT = 0.01;
const DESK = { width: WIDTHS.desk, height: 900 };
const PHONE = { width: WIDTHS.phone, height: 900 };

/** Pages that a foreign script draws. They need it, and it has as many fields and buttons as the contract has parts. */
const DRAWN_BY_SCRIPT = ["/docs"];
/** Their script and the contract that it draws may be large. */
const LARGE_FILES = ["/assets/scalar.js", "/openapi.json"];

/** A field of day and time takes Tab six times. */
const STOPS = 6;

/** Judges pages, one after the other. */
export interface Judge {
  judge(page: ListedPage): Promise<void>;
  /** The addresses that the pages judged so far link to. */
  links: ReadonlySet<string>;
}

/** Opens a browser window with script and one without, in which the customer is signed in. */
export async function openJudge(browser: Browser, shown: ShownService): Promise<Judge> {
  const page = await (await visitor(browser, shown, { viewport: DESK })).newPage();
  const plainPage = await (
    await visitor(browser, shown, { viewport: PHONE, javaScriptEnabled: false })
  ).newPage();
  const keys = await page.context().newCDPSession(page);
  const complaints = complaintsOf(page, shown.url);
  const links = new Set<string>();
  const judge = async ({ name, address, status }: ListedPage): Promise<void> => {
    complaints.length = 0;
    await setSize(page, DESK);
    expect((await page.goto(address))?.status(), "the status of the page").toBe(status);
    const title = await headingOf(page);
    const bytes = await ask(page, "bytes", LARGE_FILES);
    expect(bytes, "the bytes of the page with its style and script").toBeLessThan(MOST_BYTES);
    const isDrawnByScript = DRAWN_BY_SCRIPT.includes(address);
    if (!isDrawnByScript)
      expect(await ask(page, "shift"), "what moves while the page loads").toBeLessThanOrEqual(MOST_SHIFT);
    for (const link of await ask(page, "links")) links.add(link);
    await expectGoodEverywhere(page, name);
    if (!isDrawnByScript) {
      await setSize(page, DESK);
      await expectKeyboardWorks(page, keys);
      await expectWorksWithoutScript(plainPage, address, title);
    }
    expect(complaints, "what the browser complained of").toEqual([]);
  };
  return { judge, links };
}

async function visitor(
  browser: Browser,
  { url, sessions }: ShownService,
  options: Pick<BrowserContextOptions, "javaScriptEnabled" | "viewport">,
): Promise<BrowserContext> {
  const opened = await browser.newContext({ baseURL: url, ...options });
  await opened.addCookies(sessions.map((session) => ({ ...session, url })));
  opened.setDefaultTimeout(PATIENCE_MS);
  return opened;
}

/** Errors of scripts, breaches of a page's policy, and requests to other hosts, as they come. */
function complaintsOf(page: Page, url: string): string[] {
  const complaints: string[] = [];
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("console", (message) => {
    // A page about an error has its status, which browsers report.
    const isOwnStatus = message.text().startsWith("Failed to load") && message.location().url === page.url();
    if (["error", "warning"].includes(message.type()) && !isOwnStatus) complaints.push(message.text());
  });
  page.on("request", (request) => {
    const address = request.url();
    if (!address.startsWith(`${url}/`) && !address.startsWith("data:")) complaints.push(address);
  });
  return complaints;
}

const headingOf = async (page: Page): Promise<string> =>
  (await page.locator("h1").first().textContent()) ?? "";

/** Tab alone reaches everything that a person can use, and shows where it is. */
async function expectKeyboardWorks(page: Page, keys: CDPSession): Promise<void> {
  const count = await ask(page, "findUsable");
  const reached = new Set<number>();
  const seen = new Set<number>();
  for (let presses = 0; presses < STOPS * count && seen.size < count; ) {
    const missing = count - seen.size;
    await pressTab(keys, missing);
    presses += missing;
    for (const { index, isSeen } of await ask(page, "stops")) {
      if (index === -1) continue;
      reached.add(index);
      if (isSeen) seen.add(index);
    }
  }
  const without = (indexes: ReadonlySet<number>) =>
    ask(
      page,
      "named",
      Array.from({ length: count }, (_, index) => index).filter((index) => !indexes.has(index)),
    );
  expect(await without(reached), "what Tab does not reach").toEqual([]);
  expect(await without(seen), "what shows no focus").toEqual([]);
  await expectSkipLinkWorks(page);
}

/** Presses Tab so many times. The browser gets all of them at once: an answer for each takes longer than the key. */
async function pressTab(keys: CDPSession, times: number): Promise<void> {
  const tab = { key: "Tab", code: "Tab", windowsVirtualKeyCode: 9 };
  const events = Array.from({ length: times }, () => ["rawKeyDown", "keyUp"] as const).flat();
  await Promise.all(events.map((type) => keys.send("Input.dispatchKeyEvent", { type, ...tab })));
}

async function expectSkipLinkWorks(page: Page): Promise<void> {
  expect(await ask(page, "focusSkipLink"), "the skip links, and which of them show when focused").toEqual([
    true,
  ]);
  await page.keyboard.press("Enter");
  await page.keyboard.press("Tab");
  expect(await ask(page, "focus"), "the focus after the skip link").toMatchObject({ isInContent: true });
}

async function expectWorksWithoutScript(page: Page, address: string, title: string): Promise<void> {
  await page.goto(address);
  expect(await headingOf(page), "the heading without a script").toBe(title);
  expect(
    (await page.locator("main").textContent())?.trim().length,
    "the text without a script",
  ).toBeGreaterThan(20);
  expect(await ask(page, "deadButtons"), "buttons that do nothing without a script").toEqual([]);
}

/** Widths differ in what is shown, wraps and scrolls; themes only in colours. Leaves the page light. */
export async function expectGoodEverywhere(page: Page, name: string): Promise<void> {
  await expectFits(page, name, "desk");
  await expectAccessible(page, "desk, light");
  await ask(page, "remember");
  await inTheDark(page, () => expectAccessible(page, "desk, dark", { rules: ["color-contrast"] }));
  await expectFits(page, name, "phone");
  await ask(page, "mark");
  await expectAccessible(page, "phone, light", { contrastOf: "[data-added], [data-added] *" });
  await expectWholeOnPaper(page, name);
}
