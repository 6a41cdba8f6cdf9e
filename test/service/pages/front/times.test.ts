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
});
