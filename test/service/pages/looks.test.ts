// What the judge of pages finds.
import { afterAll, describe, expect, it } from "vitest";
import { openBrowser } from "../../support/network/browser.ts";
import { expectGoodEverywhere } from "../../support/pages/judge.ts";
import { expectAccessible } from "../../support/pages/looks.ts";

const browser = await openBrowser();
const page = await browser?.newPage({ viewport: { width: 1280, height: 900 } });

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

  const whole = (styles: string, body: string) =>
    `<!doctype html><html lang="en"><title>Test</title><meta name="viewport" content="width=device-width">
<style>body { background: #fff; color: #000 } .phone { display: none } ${styles}</style>
<main><h1>Test</h1>${body}</main></html>`;
  const onPhone = (styles: string) => `@media (max-width: 500px) { ${styles} }`;

  it.each([
    ["faint on a desk", /^desk, light.*color-contrast/, "p { color: #aaa }", "<p>Text</p>"],
    [
      "faint only in the dark",
      /^desk, dark.*color-contrast/,
      "@media (prefers-color-scheme: dark) { p { color: #aaa } }",
      "<p>Text</p>",
    ],
    [
      "faint and only shown on a phone",
      /^phone, light.*color-contrast/,
      onPhone(".phone { display: block; color: #aaa }"),
      '<div class="phone"><p>Text</p></div>',
    ],
    [
      "a field without a name that is only shown on a phone",
      /^phone, light/,
      onPhone(".phone { display: block }"),
      '<p class="phone"><input></p>',
    ],
    ["too wide on a phone", /phone/, onPhone("div { width: 600px }"), "<div>Text</div>"],
    ["too wide on a desk", /desk/, "@media (min-width: 1000px) { div { width: 1500px } }", "<div>Text</div>"],
    [
      "a box that scrolls on a desk",
      /what scrolls in a box/,
      "div { height: 20px; overflow: auto }",
      '<div tabindex="0">Text<br>Text<br>Text</div>',
    ],
    [
      "a table that hides its end on a desk",
      /tables that hide their end/,
      ".table { overflow: auto } @media (min-width: 1000px) { p { width: 1500px } }",
      '<div class="table" tabindex="0"><p>Text</p></div>',
    ],
    [
      "a fold without its triangle",
      /what opens and does not look so/,
      "summary { display: block }",
      "<details><summary>Text</summary>Text</details>",
    ],
    [
      "cut off on paper",
      /what is lost on paper/,
      "@media print { div { height: 20px; overflow: hidden } }",
      "<div>Text<br>Text<br>Text</div>",
    ],
    [
      "a field to fill in, on paper",
      /what is lost on paper/,
      "",
      '<form method="post"><label>Name <input></label></form>',
    ],
    [
      "a heading of nothing, on paper",
      /what is lost on paper/,
      "@media print { form { display: none } }",
      '<h2>Name</h2><form method="post"><label>Name <input></label></form>',
    ],
    [
      "a word that is torn on paper",
      /what is lost on paper/,
      "@media print { p { width: 3em; overflow-wrap: anywhere } }",
      "<p>Property</p>",
    ],
    [
      "a day that is torn on paper",
      /what is lost on paper/,
      "@media print { p { width: 4em } }",
      "<p>2026-11-30</p>",
    ],
  ])("finds what is %s", async (_name, message, styles, body) => {
    await page?.setContent(whole(styles, body));
    await expect(page && expectGoodEverywhere(page, "test")).rejects.toThrow(message);
  });

  it("lets a page pass that is good on every screen, in the light and the dark, and on paper", async () => {
    await page?.setContent(whole(onPhone(".phone { display: block }"), '<p class="phone">Text</p>'));
    if (page) await expectGoodEverywhere(page, "test");
  });
});
