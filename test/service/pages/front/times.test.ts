// The zone that a reader chooses for the times of a page.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openBrowser } from "../../../support/network/browser.ts";
import { startTestService, type TestService } from "../../../support/service.ts";

const browser = await openBrowser();
let service: TestService;

beforeAll(async () => {
  service = await startTestService();
});
afterAll(async () => {
  await browser?.close();
  await service.stop();
});

describe.skipIf(browser === null)("the zone of times", () => {
  it("is chosen by keyboard there and back, from the same button", async () => {
    const page = await browser?.newPage({ baseURL: service.url, timezoneId: "America/New_York" });
    await page?.goto("/status");
    await page?.getByRole("button", { name: "Show America/New_York" }).focus();
    await page?.keyboard.press("Enter");
    expect(await page?.locator(":focus").allTextContents()).toEqual(["Show UTC"]);
    await page?.keyboard.press("Enter");
    expect(await page?.locator(":focus").allTextContents()).toEqual(["Show America/New_York"]);
  });

  // A browser on a machine with a zone of an unknown name says this one, which it refuses to show times in.
  it("is UTC without a choice where the browser does not know the reader's zone", async () => {
    const page = await browser?.newPage({ baseURL: service.url });
    const errors: Error[] = [];
    page?.on("pageerror", (error) => errors.push(error));
    await page?.addInitScript(() => {
      localStorage.setItem("times-in", "own");
      const known = Intl.DateTimeFormat.prototype.resolvedOptions;
      Intl.DateTimeFormat.prototype.resolvedOptions = function () {
        return { ...known.call(this), timeZone: "Etc/Unknown" };
      };
    });
    await page?.goto("/status");
    expect(errors).toEqual([]);
    expect((await page?.locator(".time-choice").textContent())?.trim()).toBe("Times are UTC.");
    expect(await page?.getByRole("button", { name: /^Show/ }).count()).toBe(0);
  });
});
