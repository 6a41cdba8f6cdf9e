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

  it("names the button that copies as before, also after a second click", async () => {
    const permissions = ["clipboard-read", "clipboard-write"];
    const own = (await browser?.newPage({ baseURL: service.url, permissions })) as Page;
    await own.clock.install();
    await own.goto("/docs/quotas");
    const button = own.locator("button[data-copy]").first();
    for (const _ of [1, 2]) {
      await button.click();
      await own.getByRole("button", { name: "Copied" }).waitFor();
      // It comes once the click has written, so its outcome is shown for two seconds from now.
      await own.evaluate("navigator.clipboard.readText()");
    }
    await own.clock.runFor(5_000);
    expect(await button.textContent()).toBe("Copy");
    await own.close();
  });

  it.each([1280, 390])("shows no code below the button that copies it, %i wide", async (width) => {
    await page.setViewportSize({ width, height: 900 });
    await page.goto("/docs/start");
    const covered = await page.evaluate<number[]>(
      `[...document.querySelectorAll(".code")].map((block) => {
        const [code, button] = [block.querySelector("pre"), block.querySelector("button")].map((part) => part.getBoundingClientRect());
        return Math.min(code.right - button.left, code.bottom - button.top);
      })`,
    );
    expect(covered.length).toBeGreaterThan(0);
    expect(Math.max(...covered)).toBeLessThanOrEqual(0);
    await page.setViewportSize({ width: 1280, height: 900 });
  });

  it("has a feed of changes that a parser of XML takes", async () => {
    const feed = await (await page.request.get("/changelog.xml")).text();
    const root = await page.evaluate<string>(
      `new DOMParser().parseFromString(${JSON.stringify(feed)}, "application/xml").documentElement.localName`,
    );
    expect(root).toBe("feed");
  });
});
