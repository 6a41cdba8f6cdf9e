// The ways to use a page: with a pointer, with a finger, and with the keyboard alone.
import type { FileChooser, Locator, Page } from "playwright-core";

export interface Hands {
  /** Follows a link or presses a button. */
  press(target: Locator): Promise<void>;
  type(field: Locator, text: string): Promise<void>;
  /** Chooses an entry of a list by its words. */
  choose(list: Locator, words: string): Promise<void>;
  /** Ticks a box. */
  tick(box: Locator): Promise<void>;
  /** Chooses a file of the reader's own. */
  upload(field: Locator, file: Parameters<FileChooser["setFiles"]>[0]): Promise<void>;
}

export const pointer = (page: Page): Hands => touching(page, (target) => target.click());

/** For a screen that is touched. */
export const finger = (page: Page): Hands => touching(page, (target) => target.tap());

const touching = (page: Page, touch: Hands["press"]): Hands => ({
  press: touch,
  type: async (field, text) => {
    await touch(field);
    await page.keyboard.insertText(text);
  },
  choose: async (list, words) => {
    await list.selectOption(words);
  },
  tick: touch,
  upload: (field, file) => chooseFile(page, () => touch(field), file),
});

/** Only Tab, Enter, Space and letters. */
export const keyboard = (page: Page): Hands => {
  const typeInto = async (field: Locator, text: string) => {
    await tabTo(page, field);
    await page.keyboard.type(text);
  };
  const pressAt = async (target: Locator, key: string) => {
    await tabTo(page, target);
    await page.keyboard.press(key);
  };
  return {
    press: (target) => pressAt(target, "Enter"),
    type: typeInto,
    choose: typeInto,
    tick: (box) => pressAt(box, "Space"),
    upload: (field, file) => chooseFile(page, () => pressAt(field, "Enter"), file),
  };
};

async function chooseFile(
  page: Page,
  open: () => Promise<void>,
  file: Parameters<Hands["upload"]>[1],
): Promise<void> {
  const [chooser] = await Promise.all([page.waitForEvent("filechooser"), open()]);
  await chooser.setFiles(file);
}

/** More than a person has the patience for. */
const MOST_TABS = 45;

/** Goes to an element by Tab, or by Shift-Tab when the focus is behind it. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  await target.waitFor();
  const focused = target.and(page.locator(":focus"));
  const isBefore = await target.evaluate(
    (element) =>
      element.ownerDocument.activeElement?.compareDocumentPosition(element) ===
      element.DOCUMENT_POSITION_PRECEDING,
  );
  const key = isBefore ? "Shift+Tab" : "Tab";
  for (let tabs = 0; tabs < MOST_TABS; tabs += 1) {
    if ((await focused.count()) === 1) return;
    await page.keyboard.press(key);
  }
  throw new Error(`${MOST_TABS} Tabs do not reach ${target}`);
}
