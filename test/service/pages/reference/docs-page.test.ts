// The reference at /docs, used as a customer uses it: what is prefilled is sent as it stands.
import type { Browser, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { demoKey } from "../../../../src/accounts/keys/demo-key.ts";
import { markDemo } from "../../../../src/platform/installation/installation.ts";
import { expectGoodLooks } from "../../../support/dashboard.ts";
import { putEvents, setDetection } from "../../../support/events/events.ts";
import { feedRecord, publishFeed } from "../../../support/feeds/published-feed.ts";
import { openBrowser, PATIENCE_MS } from "../../../support/network/browser.ts";
import { startTestService, type TestService } from "../../../support/service.ts";

const DOT = "4312907";
const FEED = "us_new_authority_weekly";
const browser: Browser | null = await openBrowser();
let service: TestService;
let page: Page;
let key: string;
/** The words by which a snippet's language is chosen. */
const LANGUAGES: Readonly<Record<string, string>> = {
  Python: "Requests",
  JavaScript: "Fetch",
  Shell: "Curl",
};
const requested: { method: string; url: string; key: string | undefined }[] = [];

beforeAll(async () => {
  if (browser === null) return;
  // The address that the service knows itself by is another one than the page is opened at.
  service = await startTestService({ env: { PUBLIC_URL: "http://localhost:3999" } });
  const { db } = service.context;
  const records = [feedRecord(FEED, { dot_number: DOT })];
  await publishFeed(db, FEED, { records, asOf: "2026-11-20", now: service.clock.now() });
  await setDetection(db, { finishedAt: "2026-11-20T11:20:06Z", asOf: "2026-11-20" });
  await putEvents(db, [{}]);
  await markDemo(db.pool, "2026-11-18");
  const { accountId } = await service.createAccount({ feeds: { [FEED]: null } });
  key = await demoKey(service.context, accountId);
  page = await browser.newPage({ baseURL: service.url, viewport: { width: 1280, height: 900 } });
  page.setDefaultTimeout(PATIENCE_MS);
  page.on("request", (request) =>
    requested.push({ method: request.method(), url: request.url(), key: request.headers()["x-api-key"] }),
  );
  await page.goto("/docs");
  await page.getByRole("heading", { name: "Trucking Data Feed API" }).waitFor();
});
afterAll(async () => {
  await browser?.close();
  await service?.stop();
});

/** The button that opens the form for an operation, once its part of the page is drawn. */
async function buttonOf(method: string, path: string, tag: string): Promise<Locator> {
  await page.evaluate((hash) => {
    (globalThis as unknown as { location: { hash: string } }).location.hash = hash;
  }, `tag/${tag}/${method.toUpperCase()}${path}`);
  const button = page.locator(".show-api-client-button", { hasText: `(${method} ${path})` });
  await button.waitFor({ state: "attached" });
  return button;
}

const send = () => page.locator("[data-addressbar-action=send]:visible").click();

async function closeForm(): Promise<void> {
  await page.locator(".scalar-app-exit").click({ position: { x: 5, y: 5 } });
  await page.locator("[data-addressbar-action=send]:visible").waitFor({ state: "hidden" });
}

const sentTo = (prefix: string) => requested.filter(({ url }) => url.startsWith(prefix));

/** The reading operations with parameters. Those without are alike, and the test of the looks sends one. */
const READING = [
  ["/v1/feeds/{code}/records", "feeds", `/v1/feeds/${FEED}/records`],
  ["/v1/feeds/{code}/export.csv", "feeds", `/v1/feeds/${FEED}/export.csv`],
  ["/v1/events", "events", "/v1/events"],
] as const;

const CHANGING = [
  ["post", "/v1/webhooks", "webhooks"],
  ["delete", "/v1/webhooks/{endpoint_id}", "webhooks"],
  ["post", "/v1/webhooks/{endpoint_id}/test", "webhooks"],
  ["post", "/v1/webhooks/{endpoint_id}/rotate", "webhooks"],
  ["post", "/v1/opt-out", "removals"],
] as const;

describe.skipIf(browser === null)("the reference in a browser", () => {
  // every-page.test.ts judges the page before anything is pressed.
  it("has the look of the site in the form that sends a request too, with its answer", async () => {
    await (await buttonOf("get", "/v1/feeds", "feeds")).click();
    await send();
    await page.getByRole("dialog").getByText("200 OK").waitFor();
    // The answer fades in, and is fainter until then.
    await page.evaluate(
      "Promise.allSettled(document.getAnimations().map(({ finished }) => finished)).then(() => null)",
    );
    await expectGoodLooks(page, "reference-form");
    await closeForm();
  });

  it.each(READING)(
    "GET %s works as it is prefilled, at the address the page is served from",
    async (...row) => {
      const [path, tag, address] = row;
      await (await buttonOf("get", path, tag)).click();
      const answered = page.waitForResponse((answer) => answer.url().startsWith(`${service.url}/v1/`));
      await send();
      const answer = await answered;
      expect([answer.status(), new URL(answer.url()).pathname]).toEqual([200, address]);
      expect(answer.request().headers()["x-api-key"]).toBe(key);
      await closeForm();
    },
  );

  it("asks for the USDOT number of a carrier, which nobody can guess, and then finds it", async () => {
    await (await buttonOf("get", "/v1/carriers/{dot}", "carriers")).click();
    await send();
    expect(sentTo(`${service.url}/v1/carriers`)).toEqual([]);
    const field = page
      .getByRole("dialog")
      .locator("tr", { hasText: "dot" })
      .locator("[contenteditable=true]")
      .last();
    await field.click();
    await page.keyboard.type(DOT);
    const answered = page.waitForResponse(`${service.url}/v1/carriers/${DOT}`);
    await send();
    expect((await answered).status()).toBe(200);
    await closeForm();
  });

  it.each(CHANGING)(
    "%s %s changes something, so it can't be set off by a click",
    async (method, path, tag) => {
      const button = await buttonOf(method, path, tag);
      expect(await button.isVisible()).toBe(false);
    },
  );

  it("refuses to send what changes something, however one gets to its form", async () => {
    const button = await buttonOf("post", "/v1/webhooks", "webhooks");
    await button.evaluate((hidden) => (hidden as unknown as { click(): void }).click());
    await send();
    await page.getByText("sends only requests that change nothing").first().waitFor();
    expect(requested.filter(({ method }) => method !== "GET")).toEqual([]);
    await closeForm();
  });

  it("shows snippets for the shell, Python and JavaScript, at the address the page is served from", async () => {
    await buttonOf("get", "/v1/usage", "usage");
    const example = page
      .locator(".scalar-card", { has: page.getByTestId("client-picker") })
      .filter({ hasText: "/v1/usage" });
    const shown: string[] = [];
    for (const language of ["Python", "JavaScript", "Shell"]) {
      await example.getByTestId("client-picker").click();
      await page.locator("[role=option]:visible", { hasText: LANGUAGES[language] ?? "" }).click();
      shown.push((await example.locator("pre code").textContent()) ?? "");
    }
    expect(shown[0]).toContain("requests.get(");
    expect(shown[1]).toContain("fetch(");
    expect(shown[2]).toContain("curl");
    for (const text of shown) expect(text).toContain(`${service.url}/v1/usage`);
  });

  it("finds an operation by its words", async () => {
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox", { name: /search/i }).fill("month");
    await page.getByRole("option", { name: /Read this month's usage/ }).waitFor();
    await page.keyboard.press("Escape");
  });

  it("asks nobody but the service", () => {
    expect(requested.length).toBeGreaterThan(10);
    const elsewhere = requested.filter(
      ({ url }) => !url.startsWith(`${service.url}/`) && !url.startsWith("data:"),
    );
    expect(elsewhere).toEqual([]);
  });
});
