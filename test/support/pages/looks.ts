import { readFileSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import path from "node:path";
import axe from "axe-core";
import type { Page } from "playwright-core";
import { expect } from "vitest";

const IN_BROWSER = readFileSync(new URL("in-browser.js", import.meta.url), "utf8");

/** What in-browser.js answers. */
interface InBrowser {
  overflow(): number;
  scrollBoxes(): string[];
  wideTables(): string[];
  lostOnPaper(): string[];
  remember(): void;
  mark(): number;
  bytes(exceptFor: readonly string[]): number;
  shift(): number;
  findUsable(): number;
  stops(): { index: number; isSeen: boolean }[];
  named(indexes: readonly number[]): string[];
  focus(): { text: string; isInContent: boolean };
  links(): string[];
  deadButtons(): string[];
  faintInPictures(): string[];
}

/** Asks a page something that only its browser knows. */
export async function ask<Question extends keyof InBrowser>(
  page: Page,
  question: Question,
  ...details: Parameters<InBrowser[Question]>
): Promise<ReturnType<InBrowser[Question]>> {
  // The policy of a page forbids foreign scripts, so the browser's protocol adds this one.
  if (!(await page.evaluate("'judge' in globalThis"))) await page.evaluate(IN_BROWSER);
  return page.evaluate(`judge.${question}(...${JSON.stringify(details)})`);
}

/** Widths of a phone and of a desk. */
export const WIDTHS = { phone: 390, desk: 1280 } as const;

/** The width of a sheet of A4 between its margins. */
const PAPER = 700;

/**
 * Fails if a page scrolls sideways, on a phone or a desk, light or dark, hides its end in a box, or is not whole on paper.
 * Takes a picture of each, if asked to.
 */
export async function expectAllFits(page: Page, name: string): Promise<void> {
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    for (const [device, width] of Object.entries(WIDTHS)) {
      await page.setViewportSize({ width, height: 900 });
      await takePicture(page, `${name}-${device}-${colorScheme}`);
      const overflow = Math.max(0, await ask(page, "overflow"));
      expect({ name, device, overflow }).toEqual({ name, device, overflow: 0 });
    }
  }
  expect(await ask(page, "scrollBoxes"), `what scrolls in a box, ${name}`).toEqual([]);
  expect(await ask(page, "wideTables"), `tables that hide their end on a desk, ${name}`).toEqual([]);
  await page.emulateMedia({ media: "print" });
  await page.setViewportSize({ width: PAPER, height: 900 });
  await takePicture(page, `${name}-paper`);
  const lost = { overflow: Math.max(0, await ask(page, "overflow")), parts: await ask(page, "lostOnPaper") };
  await page.emulateMedia({ media: null });
  expect(lost, `what is lost on paper, ${name}`).toEqual({ overflow: 0, parts: [] });
}

/** Saves what the page looks like where SCREENSHOTS names a folder. */
async function takePicture(page: Page, name: string): Promise<void> {
  const folder = process.env.SCREENSHOTS;
  if (!folder) return;
  await mkdir(folder, { recursive: true });
  const file = `${name.replaceAll(/[^\w.-]+/g, "_")}.png`;
  await page.screenshot({ path: path.join(folder, file), fullPage: true });
}

/** What axe looks at: all of the page by all of its rules, unless these say otherwise. */
interface Asked {
  rules?: readonly string[];
  exceptFor?: readonly string[];
  /** A selector of parts. */
  within?: string;
}

/** A foreign script draws these pages. It lays parts over each other, so that axe cannot say what is behind a text. */
const DRAWN_BY_OTHERS = "body.reference";
/** Axe never decides about the letters of a drawing: `faintInPictures` does. */
const IN_PICTURE = /^<(text|tspan)\b/;

/**
 * Fails with every finding of axe on the page as it is now, and with every text whose contrast axe cannot decide. `where`
 * names the page in the failure.
 */
export async function expectAccessible(page: Page, where: string, asked: Asked = {}): Promise<void> {
  if (!(await page.evaluate("'axe' in globalThis"))) await page.evaluate(axe.source);
  const { violations, incomplete } = await page.evaluate(
    ({ rules, exceptFor = [], within = "html" }) =>
      (globalThis as unknown as { axe: typeof axe }).axe.run(within, {
        resultTypes: ["violations", "incomplete"],
        ...(rules && { runOnly: { type: "rule", values: [...rules] } }),
        rules: Object.fromEntries(exceptFor.map((name) => [name, { enabled: false }])),
      }),
    asked,
  );
  const findings = violations.map(({ id, help, nodes }) => ({
    id,
    help,
    where: nodes.map(({ html }) => html),
  }));
  expect(findings, `${where}, ${page.url()}`).toEqual([]);
  if (asked.exceptFor?.includes("color-contrast")) return;
  const undecided = incomplete
    .filter(({ id }) => id === "color-contrast")
    .flatMap(({ nodes }) => nodes)
    .filter(({ html }) => !IN_PICTURE.test(html))
    .map(({ html, any }) => `${any[0]?.data?.messageKey}: ${html}`);
  if ((await page.locator(DRAWN_BY_OTHERS).count()) > 0) return;
  expect(undecided, `undecided contrast, ${where}, ${page.url()}`).toEqual([]);
  expect(await ask(page, "faintInPictures"), `letters of pictures, ${where}, ${page.url()}`).toEqual([]);
}
