// A newcomer's first minutes: from the front page to the first webhook, once with a pointer, once by keyboard alone.

import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { type Mailer, startMailer } from "../../../src/platform/mail/mailer.ts";
import type { Dispatcher } from "../../../src/webhooks/dispatch/dispatcher.ts";
import { setOwner } from "../../support/accounts.ts";
import { putEvents, setDetection } from "../../support/events/events.ts";
import { feedRecord, publishFeed } from "../../support/feeds/published-feed.ts";
import { openBrowser } from "../../support/network/browser.ts";
import { freePort } from "../../support/network/free-port.ts";
import { type MailServer, startMailServer } from "../../support/network/mail-server.ts";
import { type Hands, keyboard, pointer } from "../../support/pages/hands.ts";
import { startTestService, type TestService } from "../../support/service.ts";
import { LOOPBACK_ENV, startTestDispatcher, until } from "../../support/webhooks/dispatching.ts";
import { type Receiver, startReceiver } from "../../support/webhooks/receiver.ts";

// A browser on a busy machine takes its time.
vi.setConfig({ testTimeout: 120_000 });

const FEED = "us_new_authority_weekly";
const run = promisify(execFile);
const browser = await openBrowser();
let service: TestService;
let mails: MailServer;
let mailer: Mailer;
let receiver: Receiver;
let dispatcher: Dispatcher;

beforeAll(async () => {
  [mails, receiver] = await Promise.all([startMailServer(), startReceiver()]);
  const port = await freePort();
  const env = {
    ...LOOPBACK_ENV,
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    SMTP_URL: mails.url,
    MAIL_FROM: "Trucking Data Feed <no-reply@feeds.example>",
  };
  service = await startTestService({ port, env });
  const { context, clock } = service;
  const records = [feedRecord(FEED, { dot_number: "4312907" })];
  await publishFeed(context.db, FEED, { records, asOf: "2026-11-20", now: clock.now() });
  await setDetection(context.db, { finishedAt: "2026-11-20T11:20:06Z", asOf: "2026-11-20" });
  mailer = startMailer(context, { pollEveryMs: 25 });
  dispatcher = startTestDispatcher(context);
});
afterAll(async () => {
  await browser?.close();
  await Promise.all([dispatcher.stop(), mailer.stop()]);
  await service.stop();
  await Promise.all([receiver.close(), mails.stop()]);
});

/** The first link into the dashboard in the newest mail to an address. */
async function mailedLink(to: string): Promise<string> {
  const newest = () => mails.received.findLast((mail) => mail.to.includes(to));
  await until(() => newest() !== undefined);
  const text = newest()?.raw.replaceAll("=\r\n", "") ?? "";
  return /http:\/\/\S+\/dashboard\/sign-in\/[\w-]+/.exec(text)?.[0] ?? "";
}

/** Runs a line as a shell does, as it is shown. */
async function paste(line: string, env: Record<string, string> = {}): Promise<{ data: unknown[] }> {
  const { stdout } = await run("bash", ["-c", `${line} --silent --show-error --fail`], {
    env: { ...process.env, ...env },
  });
  return JSON.parse(stdout);
}

async function walk(page: Page, { press, type }: Hands, email: string): Promise<void> {
  const { accountId, keyId } = await service.createAccount({ feeds: { [FEED]: null } });
  const { prisma } = service.context.db;
  await setOwner(service.context, accountId, email);
  await prisma.apiKey.delete({ where: { id: keyId } });
  const button = (name: string) => page.getByRole("button", { name, exact: true });
  const link = (name: string) => page.getByRole("link", { name, exact: true });
  const menu = (name: string) =>
    page.getByRole("navigation", { name: "Dashboard" }).getByRole("link", { name, exact: true });
  const textOf = async (selector: string) => (await page.locator(selector).textContent()) ?? "";

  await page.goto(service.url);
  const firstCall = await textOf("#curl");
  await press(link("Sign in"));
  await type(page.getByLabel("E-mail address"), email);
  await press(button("Mail me a link"));
  await page.getByRole("heading", { name: "Check your mail" }).waitFor();
  await page.goto(await mailedLink(email));
  await press(button("Sign in"));

  await press(menu("API keys"));
  await type(page.getByLabel("What the key is for"), "Nightly sync");
  await press(button("Make a key"));
  await page.getByRole("heading", { name: "Your new key" }).waitFor();
  expect((await paste(await textOf("#new-key-curl"))).data).toHaveLength(1);
  expect((await paste(firstCall, { KEY: await textOf("#new-key") })).data).toMatchObject([
    { dot_number: "4312907" },
  ]);

  await press(menu("Webhooks"));
  const address = `${receiver.url}/${accountId}`;
  await type(page.getByLabel("Address"), address);
  await press(button("Register"));
  await page.getByRole("heading", { name: "Your new endpoint" }).waitFor();
  await press(button("Send a test delivery"));
  await page.waitForURL(/\/deliveries\/\d+(\?|$)/);
  await page.getByText("delivered", { exact: true }).first().waitFor();
  service.clock.advance(60_000);
  await putEvents(service.context.db, [{ usdot: 4312907, detectedAt: service.clock.now().toISOString() }]);
  await press(menu("Overview"));
  await page.getByRole("heading", { name: "Overview", level: 1 }).waitFor();
  await untilShown(page, await deliveredCell(page, "1"));
  expect(receiver.received.filter(({ path }) => path === `/${accountId}`)).toHaveLength(2);
}

/** Loads the page until it shows that: outcomes are recorded beside the test. */
async function untilShown(page: Page, shown: Locator): Promise<void> {
  await until(async () => {
    await page.reload();
    return (await shown.count()) > 0;
  });
}

/** The cell that counts the deliveries of the only endpoint, if it has this count. */
async function deliveredCell(page: Page, count: string): Promise<Locator> {
  const list = page.getByRole("table").filter({ has: page.getByRole("columnheader", { name: "Delivered" }) });
  const heads = await list.first().getByRole("columnheader").allTextContents();
  const cells = list.first().locator("tbody tr").first().locator("th, td");
  return cells.nth(heads.indexOf("Delivered")).filter({ hasText: new RegExp(`^${count}$`) });
}

describe.skipIf(browser === null)("a newcomer gets from the front page to the first webhook", () => {
  it.each([
    ["with a pointer", pointer],
    ["by keyboard alone", keyboard],
  ] as const)("%s", async (way, handsFor) => {
    const page = await browser?.newPage();
    if (!page) return;
    page.setDefaultTimeout(15_000);
    await walk(page, handsFor(page), `${way.replaceAll(" ", ".")}@freight.example`);
    await page.close();
  });
});
