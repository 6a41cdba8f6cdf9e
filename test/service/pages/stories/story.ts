// Who walks through a story, and with what: every way to use the pages on every screen.
import type { Browser, BrowserContextOptions, Locator, Page } from "playwright-core";
import { describe, it } from "vitest";
import { setOwner } from "../../../support/accounts.ts";
import { signIn } from "../../../support/dashboard.ts";
import { PATIENCE_MS } from "../../../support/network/browser.ts";
import { finger, type Hands, keyboard, pointer } from "../../../support/pages/hands.ts";
import type { TestService } from "../../../support/service.ts";

/** A customer who is signed in and looks at the overview. */
export interface Person extends Hands {
  page: Page;
  accountId: number;
  isByKeyboard: boolean;
  hasScript: boolean;
  /** Sessions end after hours: another day begins with signing in. */
  signInAgain(): Promise<void>;
}

type Plan = NonNullable<Parameters<TestService["createAccount"]>[0]>;

const DESK = { viewport: { width: 1280, height: 900 } };
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
const NO_SCRIPT = { javaScriptEnabled: false };

/** Once with each way and screen; without a script once with each way. */
const SET_UPS: readonly (readonly [string, BrowserContextOptions, (page: Page) => Hands])[] = [
  ["with a pointer on a desk", DESK, pointer],
  ["with a finger on a phone", PHONE, finger],
  ["by keyboard alone on a desk", DESK, keyboard],
  ["by keyboard alone on a phone", PHONE, keyboard],
  ["with a finger on a phone, without a script", { ...PHONE, ...NO_SCRIPT }, finger],
  ["by keyboard alone on a desk, without a script", { ...DESK, ...NO_SCRIPT }, keyboard],
];

/** Has a person with an account of its own walk through a story in every set-up. */
export const tellStory = (
  browser: Browser | null,
  story: string,
  {
    service,
    plan,
    walk,
  }: { service: () => TestService; plan: Plan; walk: (person: Person) => Promise<void> },
): void => {
  describe.skipIf(browser === null)(story, () => {
    it.each(SET_UPS)("%s", async (way, options, handsFor) => {
      const opened = await (browser as Browser).newContext({ baseURL: service().url, ...options });
      opened.setDefaultTimeout(PATIENCE_MS);
      const page = await opened.newPage();
      const { accountId } = await service().createAccount(plan);
      const email = `${way.replaceAll(/\W+/g, "-")}@freight.example`;
      await setOwner(service().context, accountId, email);
      const signInAgain = () => signIn(page, service(), email);
      await signInAgain();
      const isByKeyboard = handsFor === keyboard;
      const hasScript = options.javaScriptEnabled !== false;
      await walk({ page, accountId, isByKeyboard, hasScript, signInAgain, ...handsFor(page) });
      await opened.close();
    });
  });
};

/** The parts of a page of the dashboard by the words that people read. */
export const partsOf = (page: Page) => ({
  button: (name: string): Locator => page.getByRole("button", { name, exact: true }),
  link: (name: string): Locator => page.getByRole("link", { name, exact: true }),
  menu: (name: string): Locator =>
    page.getByRole("navigation", { name: "Dashboard" }).getByRole("link", { name, exact: true }),
  /** The line that unfolds a part of the page. */
  folded: (name: string | RegExp): Locator => page.locator("summary").filter({ hasText: name }),
});
