// What a reader does with the guides in a browser. every-page.test.ts judges what they look like.

import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openBrowser } from "../../../support/network/browser.ts";
import { startTestService, type TestService } from "../../../support/service.ts";

const browser = await openBrowser();
let service: TestService;
let page: Page;

beforeAll(async () => {
  if (browser === null) return;
  service = await startTestService();
  page = await browser.newPage({ baseURL: service.url, viewport: { width: 1280, height: 900 } });
});
afterAll(async () => {
  await browser?.close();
  await service?.stop();
});

describe.skipIf(browser === null)("a guide in a browser", () => {
  it("copies a command as it stands", async () => {
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await page.goto("/docs/quotas");
    await page.getByRole("button", { name: "Copy" }).first().click();
    await page.getByRole("button", { name: "Copied" }).waitFor();
    const copied = await page.evaluate<string>("navigator.clipboard.readText()");
    expect(copied).toBe(`curl -H "X-API-Key: $TDF_KEY" "${service.context.config.publicUrl}/v1/usage"`);
  });

  it("has a feed of changes that a parser of XML takes", async () => {
    const feed = await (await page.request.get("/changelog.xml")).text();
    const root = await page.evaluate<string>(
      `new DOMParser().parseFromString(${JSON.stringify(feed)}, "application/xml").documentElement.localName`,
    );
    expect(root).toBe("feed");
  });
});
