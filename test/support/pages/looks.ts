import { readFileSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import type axe from "axe-core";
import type { CDPSession, Page } from "playwright-core";
import { expect } from "vitest";

const AXE = readFileSync(fileURLToPath(import.meta.resolve("axe-core/axe.min.js")), "utf8");
const IN_BROWSER = readFileSync(new URL("in-browser.js", import.meta.url), "utf8");

/** What in-browser.js answers. */
interface InBrowser {
  overflow(): number;
  scrollBoxes(): string[];
  wideTables(): string[];
  plainFolds(): string[];
  lostOnPaper(): string[];
  tornWords(): string[];
  remember(): void;
  mark(): void;
  bytes(exceptFor: readonly string[]): number;
  shift(): number;
  findUsable(): number;
  stops(): { index: number; isSeen: boolean }[];
  named(indexes: readonly number[]): string[];
  focusSkipLink(): boolean[];
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
  const asked = `"judge" in globalThis ? [judge.${question}(...${JSON.stringify(details)})] : null`;
  const answer = await page.evaluate<[ReturnType<InBrowser[Question]>] | null>(asked);
  if (answer !== null) return answer[0];
  // The policy of a page forbids foreign scripts, so the browser's protocol adds this one.
  await page.evaluate(IN_BROWSER);
  return ask(page, question, ...details);
}

/** Widths of a phone and of a desk. */
export const WIDTHS = { phone: 390, desk: 1280 } as const;

/** The width of a sheet of A4 between its margins. */
const PAPER = 700;

/** A new size costs the browser as much as loading the page does. */
export async function setSize(page: Page, size: { width: number; height: number }): Promise<void> {
  const { width, height } = page.viewportSize() ?? {};
  if (width !== size.width || height !== size.height) await page.setViewportSize(size);
}

/**
 * Fails if a page scrolls sideways, on a phone or a desk, or hides its end in a box on the desk. Nothing is elsewhere in
 * the dark, so that only a picture is taken there.
 */
export async function expectFits(page: Page, name: string, device: keyof typeof WIDTHS): Promise<void> {
  await setSize(page, { width: WIDTHS[device], height: 900 });
  const overflow = Math.max(0, await ask(page, "overflow"));
  expect({ name, device, overflow }).toEqual({ name, device, overflow: 0 });
  expect(await ask(page, "plainFolds"), `what opens and does not look so, ${name}`).toEqual([]);
  if (device === "desk") {
    expect(await ask(page, "scrollBoxes"), `what scrolls in a box, ${name}`).toEqual([]);
    expect(await ask(page, "wideTables"), `tables that hide their end on a desk, ${name}`).toEqual([]);
  }
  await takePicture(page, `${name}-${device}-light`);
  if (TAKES_PICTURES) await inTheDark(page, () => takePicture(page, `${name}-${device}-dark`));
}

/** Shows a page, which is light otherwise, in the dark. */
export async function inTheDark(page: Page, look: () => Promise<void>): Promise<void> {
  await page.emulateMedia({ colorScheme: "dark" });
  try {
    await look();
  } finally {
    await page.emulateMedia({ colorScheme: "light" });
  }
}

/** Fails if a page is not whole on paper, or if a word is torn there. */
export async function expectWholeOnPaper(page: Page, name: string): Promise<void> {
  await page.emulateMedia({ media: "print" });
  try {
    await setSize(page, { width: PAPER, height: 900 });
    await takePicture(page, `${name}-paper`);
    const lost = {
      overflow: Math.max(0, await ask(page, "overflow")),
      parts: await ask(page, "lostOnPaper"),
      torn: await ask(page, "tornWords"),
    };
    expect(lost, `what is lost on paper, ${name}`).toEqual({ overflow: 0, parts: [], torn: [] });
  } finally {
    await page.emulateMedia({ media: null });
  }
}

const TAKES_PICTURES = Boolean(process.env.SCREENSHOTS);

/** Saves what the page looks like where SCREENSHOTS names a folder. */
async function takePicture(page: Page, name: string): Promise<void> {
  const folder = process.env.SCREENSHOTS;
  if (!folder) return;
  await mkdir(folder, { recursive: true });
  const file = `${name.replaceAll(/[^\w.-]+/g, "_")}.png`;
  await page.screenshot({ path: path.join(folder, file), fullPage: true });
}

/** What axe looks at: all of the page by all of its rules, unless this says otherwise. */
interface Asked {
  rules?: readonly string[];
  /** A selector of the parts whose contrast is looked at. */
  contrastOf?: string;
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
  if (!(await page.evaluate("'axe' in globalThis"))) await addAxe(page);
  const { findings, undecided } = await page.evaluate(async ({ rules, contrastOf }) => {
    const { axe: judge } = globalThis as unknown as { axe: typeof axe };
    judge.configure({ rules: [{ id: "color-contrast", selector: contrastOf ?? "*" }] });
    const { violations, incomplete } = await judge.run("html", {
      resultTypes: ["violations", "incomplete"],
      selectors: false,
      // Only a rule that is off by itself reads style sheets.
      preload: { assets: ["media"] },
      ...(rules && { runOnly: { type: "rule", values: [...rules] } }),
    });
    // Few of the words of an answer are read.
    const contrast = incomplete.filter(({ id }) => id === "color-contrast").flatMap(({ nodes }) => nodes);
    return {
      findings: violations.map(({ id, help, nodes }) => ({ id, help, where: nodes.map(({ html }) => html) })),
      undecided: contrast.map(({ html, any }) => ({ html, why: any[0]?.data?.messageKey })),
    };
  }, asked);
  expect(findings, `${where}, ${page.url()}`).toEqual([]);
  if ((await page.locator(DRAWN_BY_OTHERS).count()) > 0) return;
  const unclear = undecided.filter(({ html }) => !IN_PICTURE.test(html));
  expect(unclear, `undecided contrast, ${where}, ${page.url()}`).toEqual([]);
  expect(await ask(page, "faintInPictures"), `letters of pictures, ${where}, ${page.url()}`).toEqual([]);
}

const sessions = new WeakMap<Page, Promise<CDPSession>>();

/** Gives the page axe by the browser's protocol itself: through `evaluate`, its half megabyte takes half as long again. */
async function addAxe(page: Page): Promise<void> {
  const opened = sessions.get(page) ?? page.context().newCDPSession(page);
  sessions.set(page, opened);
  await (await opened).send("Runtime.evaluate", { expression: AXE });
}
