// Two ways to use a page: with a pointer, and with the keyboard alone.
import type { Locator, Page } from "playwright-core";

export interface Hands {
  /** Follows a link or presses a button. */
  press(target: Locator): Promise<void>;
  type(field: Locator, text: string): Promise<void>;
  /** Chooses an entry of a list by its words. */
  choose(list: Locator, words: string): Promise<void>;
  /** Ticks a box. */
  tick(box: Locator): Promise<void>;
}

export const pointer = (): Hands => ({
  press: (target) => target.click(),
  type: (field, text) => field.fill(text),
  choose: async (list, words) => {
    await list.selectOption(words);
  },
  tick: (box) => box.check(),
});

/** Only Tab, Enter, Space and letters. */
export const keyboard = (page: Page): Hands => {
  const typeInto = async (field: Locator, text: string) => {
    await tabTo(page, field);
    await page.keyboard.type(text);
  };
  return {
    press: async (target) => {
      await tabTo(page, target);
      await page.keyboard.press("Enter");
    },
    type: typeInto,
    choose: typeInto,
    tick: async (box) => {
      await tabTo(page, box);
      await page.keyboard.press("Space");
    },
  };
};

/** More than any page on the way needs. */
const MOST_TABS = 120;

async function tabTo(page: Page, target: Locator): Promise<void> {
  await target.waitFor();
  const focused = target.and(page.locator(":focus"));
  for (let tabs = 0; tabs < MOST_TABS; tabs += 1) {
    if ((await focused.count()) === 1) return;
    await page.keyboard.press("Tab");
  }
  throw new Error(`Tab does not reach ${target}`);
}
