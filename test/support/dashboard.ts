import type { Browser, BrowserContext, Page } from "playwright-core";
import { signInLink } from "../../src/accounts/sessions/sign-in-links.ts";
import { dayOf } from "../../src/platform/clock.ts";
import type { Context } from "../../src/platform/context.ts";
import { setOwner } from "./accounts.ts";
import { PATIENCE_MS } from "./network/browser.ts";
import { expectAccessible, expectFits, expectWholeOnPaper, setSize } from "./pages/looks.ts";
import type { TestService } from "./service.ts";

/** Opens a service's dashboard in a new browser context. `theme` is the person's preferred colour scheme. */
export async function openDashboard(
  browser: Browser,
  service: TestService,
  { theme = "light", width = 1280 }: { theme?: "light" | "dark"; width?: number } = {},
): Promise<{ page: Page; visitor: BrowserContext }> {
  const visitor = await browser.newContext({
    baseURL: service.url,
    colorScheme: theme,
    viewport: { width, height: 900 },
  });
  visitor.setDefaultTimeout(PATIENCE_MS);
  return { page: await visitor.newPage(), visitor };
}

/** The newest mail with a sign-in link to an address in the outbox. Warnings may come after it. */
async function newestLinkTo(service: TestService, recipient: string): Promise<string> {
  const mail = await service.context.db.prisma.mailOutbox.findFirst({
    where: { recipient, purpose: "sign_in" },
    orderBy: { id: "desc" },
  });
  return mail?.body ?? "";
}

/** Signs in as a person does: asks for the link, opens it from the mail, presses the button. */
export async function signIn(page: Page, service: TestService, email: string): Promise<void> {
  await page.goto("/dashboard");
  await page.getByLabel("E-mail address").fill(email);
  await page.getByRole("button", { name: "Mail me a link" }).click();
  await page.getByRole("heading", { name: "Check your mail" }).waitFor();
  await page.goto(await mailedSignIn(service, email));
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("heading", { name: "Overview" }).waitFor();
}

/** Signs in by the link that a mail would have, without the way through the mail, which `signIn` goes. */
async function enter(page: Page, { url, context }: TestService, accountId: number): Promise<void> {
  const { pathname } = new URL(await signInLink(context, accountId));
  const answer = await page.request.post(url + pathname, { maxRedirects: 0 });
  if (answer.status() !== 303) throw new Error(`The sign-in link answered ${answer.status()}`);
  await page.goto("/dashboard");
}

type Plan = NonNullable<Parameters<TestService["createAccount"]>[0]>;

/** A customer of this plan, signed in in a new browser context. */
export async function signedInCustomer(
  browser: Browser,
  service: TestService,
  { email, ...plan }: { email: string } & Plan,
): Promise<{ page: Page } & Awaited<ReturnType<TestService["createAccount"]>>> {
  const account = await service.createAccount(plan);
  await setOwner(service.context, account.accountId, email);
  const { page } = await openDashboard(browser, service);
  await enter(page, service, account.accountId);
  return { page, ...account };
}

/** Signs in customers by name, whose plans are the usual one but for what is given. */
export const customersOf =
  (browser: Browser | null, service: () => TestService, usual: Plan) =>
  (name: string, plan: Plan = {}) =>
    signedInCustomer(browser as Browser, service(), {
      email: `${name}@freight.example`,
      ...usual,
      ...plan,
    });

/** Has an account use so many of the day's free previews. */
export async function usedPreviews({ db, clock }: Context, accountId: number, used: number): Promise<void> {
  const previews = [accountId, dayOf(clock.now()), used];
  await db.pool.query("INSERT INTO preview_day (account_id, day, used) VALUES ($1, $2, $3)", previews);
}

/** Sends a form of the dashboard as a program that has the session's cookie and form token does; follows no redirect. */
export async function sendForm(page: Page, path: string, form: Record<string, string> = {}) {
  const front = await (await page.request.get("/dashboard")).text();
  const form_token = /name="form_token" value="([^"]+)"/.exec(front)?.[1] ?? "";
  return page.request.post(`/dashboard${path}`, { form: { ...form, form_token }, maxRedirects: 0 });
}

/**
 * Clicks a button again before the answer to the first click comes. Returns how many forms the browser has sent, once the page
 * shows the heading of the answer.
 */
export async function clickTwice(page: Page, button: string, heading: string): Promise<number> {
  let sent = 0;
  const answers = Promise.withResolvers<void>();
  await page.route("**", async (route) => {
    if (route.request().method() === "POST") {
      sent += 1;
      await answers.promise;
    }
    // The browser drops the first of two forms.
    await route.continue().catch(() => {});
  });
  const shown = page.getByRole("button", { name: button, exact: true });
  await shown.scrollIntoViewIfNeeded();
  const { x, y, width, height } = (await shown.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
  // A locator would wait for the answer.
  const click = () => page.mouse.click(x + width / 2, y + height / 2);
  await Promise.all([page.waitForRequest((request) => request.method() === "POST"), click()]);
  await click();
  answers.resolve();
  await page.getByRole("heading", { name: heading }).waitFor();
  await page.unroute("**");
  return sent;
}

/** The path of the link in the newest mail: mails name the public address, tests a port of their own. */
export async function mailedSignIn(service: TestService, email: string): Promise<string> {
  const body = await newestLinkTo(service, email);
  return /https?:\/\/[^/\s]+(\/dashboard\/sign-in\/[\w-]+)/.exec(body)?.[1] ?? "";
}

/**
 * Looks at a state of a page that its address alone does not show, such as a refused form. every-page.test.ts judges all
 * pages in full; this checks what a state may add.
 */
export async function expectGoodLooks(page: Page, name: string): Promise<void> {
  const size = page.viewportSize() ?? { width: 1280, height: 900 };
  await expectAccessible(page, name);
  await expectFits(page, name, "desk");
  await expectFits(page, name, "phone");
  await expectWholeOnPaper(page, name);
  await setSize(page, size);
}
