// What the judge of pages finds.
import { afterAll, describe, expect, it } from "vitest";
import { openBrowser } from "../../support/network/browser.ts";
import { expectAccessible } from "../../support/pages/looks.ts";

const browser = await openBrowser();
const page = await browser?.newPage();

afterAll(async () => {
  await browser?.close();
});

const RULES = { rules: ["color-contrast"] };
const pageWith = (body: string) =>
  `<!doctype html><html lang="en"><title>Test</title><body style="background: #fff">${body}</body></html>`;
const figure = (fill: string) =>
  `<figure style="background: #fff"><svg viewBox="0 0 90 30"><text y="20" fill="${fill}">TX</text></svg></figure>`;

describe.skipIf(browser === null)("in a browser", () => {
  it.each([
    [
      "a text on a gradient, about which axe can't decide",
      '<p style="background: linear-gradient(#fff, #eee)">Text</p>',
    ],
    ["a text that axe finds too faint", '<p style="color: #aaa">Text</p>'],
    ["faint letters of a picture", figure("#aaa")],
  ])("finds %s", async (_name, body) => {
    await page?.setContent(pageWith(body));
    await expect(page && expectAccessible(page, "test", RULES)).rejects.toThrow();
  });

  it.each([
    ["a text on a plain ground", "<p>Text</p>"],
    ["readable letters of a picture", figure("#555")],
  ])("lets %s pass", async (_name, body) => {
    await page?.setContent(pageWith(body));
    if (page) await expectAccessible(page, "test", RULES);
  });
});
