// First minutes, once with a pointer, once by keyboard alone: a customer's from the front page to the first webhook, and a
// stranger's from the front page to test mode and on to live data.

import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { applyShippedPlansOnce } from "../../../src/cli/accounts/plan.ts";
import { entryContextOf } from "../../../src/platform/context.ts";
import { type Mailer, startMailer } from "../../../src/platform/mail/mailer.ts";
import { beginTestMode } from "../../../src/testmode/test-mode.ts";
import { operatorSignInLink } from "../../../src/watch/operator-sign-in.ts";
import type { Dispatcher } from "../../../src/webhooks/dispatch/dispatcher.ts";
import { setOwner } from "../../support/accounts.ts";
import { putEvents, setDetection } from "../../support/events/events.ts";
import { feedRecord, publishFeed } from "../../support/feeds/published-feed.ts";
import { openBrowser, PATIENCE_MS } from "../../support/network/browser.ts";
import { freePort } from "../../support/network/free-port.ts";
import { type MailServer, startMailServer } from "../../support/network/mail-server.ts";
import { type Hands, keyboard, pointer } from "../../support/pages/hands.ts";
import { startTestService, type TestService } from "../../support/service.ts";
import { LOOPBACK_ENV, startTestDispatcher, until } from "../../support/webhooks/dispatching.ts";
import { type Receiver, startReceiver } from "../../support/webhooks/receiver.ts";

// A browser on a busy machine takes its time.
vi.setConfig({ testTimeout: 120_000 });

const FEED = "us_new_authority_weekly";
const OPERATOR = "night@operator.example";
const run = promisify(execFile);
const browser = await openBrowser();
let service: TestService;
let mails: MailServer;
let mailer: Mailer;
let receiver: Receiver;
let dispatchers: Dispatcher[];

beforeAll(async () => {
  [mails, receiver] = await Promise.all([startMailServer(), startReceiver()]);
  const port = await freePort();
  const env = {
    ...LOOPBACK_ENV,
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    SMTP_URL: mails.url,
    MAIL_FROM: "Trucking Data Feed <no-reply@feeds.example>",
    OPERATOR_EMAIL: OPERATOR,
  };
  service = await startTestService({ port, env, hasTestMode: true });
  const { context, clock } = service;
  const records = [feedRecord(FEED, { dot_number: "4312907" })];
  await publishFeed(context.db, FEED, { records, asOf: "2026-11-20", now: clock.now() });
  await setDetection(context.db, { finishedAt: "2026-11-20T11:20:06Z", asOf: "2026-11-20" });
  mailer = startMailer(context, { pollEveryMs: 25 });
  await applyShippedPlansOnce(entryContextOf(context));
  dispatchers = [startTestDispatcher(context), startTestDispatcher(await beginTestMode(context))];
});
afterAll(async () => {
  await browser?.close();
  await Promise.all([...dispatchers, mailer].map((each) => each.stop()));
  await service.stop();
  await Promise.all([receiver.close(), mails.stop()]);
});

/** The first link to pages of this path in the newest mail to an address that has the words. */
async function mailedLink(to: string, path = "dashboard/sign-in", words = ""): Promise<string> {
  const texts = () =>
    mails.received.flatMap((mail) => (mail.to.includes(to) ? [mail.raw.replaceAll("=\r\n", "")] : []));
  const newest = () => texts().findLast((text) => text.includes(words));
  await until(() => newest() !== undefined);
  return new RegExp(`http://\\S+/${path}/[\\w-]+`).exec(newest() ?? "")?.[0] ?? "";
}

/** Runs a line as a shell does, as it is shown. */
async function paste(line: string, env: Record<string, string> = {}): Promise<{ data: unknown[] }> {
  const { stdout } = await run("bash", ["-c", `${line} --silent --show-error --fail`], {
    env: { ...process.env, ...env },
  });
  return JSON.parse(stdout);
}

/** The parts of a page by the words that people read. */
const partsOf = (page: Page) => ({
  button: (name: string) => page.getByRole("button", { name, exact: true }),
  link: (name: string) => page.getByRole("link", { name, exact: true }),
  menu: (name: string) =>
    page.getByRole("navigation", { name: "Dashboard" }).getByRole("link", { name, exact: true }),
  heading: (name: string) => page.getByRole("heading", { name }),
  textOf: async (selector: string) => (await page.locator(selector).textContent()) ?? "",
});

type Walk = (page: Page, handsFor: (page: Page) => Hands, email: string) => Promise<void>;

const walk: Walk = async (page, handsFor, email) => {
  const { press, type } = handsFor(page);
  const { accountId, keyId } = await service.createAccount({ feeds: { [FEED]: null } });
  const { prisma } = service.context.db;
  await setOwner(service.context, accountId, email);
  await prisma.apiKey.delete({ where: { id: keyId } });
  const { button, link, menu, textOf } = partsOf(page);

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
};

/** A customer's program: it knows an address, and takes the key as its setting. */
async function program(key: string): Promise<string[]> {
  const answer = await service.get(`/v1/feeds/${FEED}/records`, key);
  const { data } = (await answer.json()) as { data: { dot_number: string }[] };
  return data.map(({ dot_number }) => dot_number);
}

const comeIn: Walk = async (page, handsFor, email) => {
  const { press, type, choose } = handsFor(page);
  const { button, link, menu, heading, textOf } = partsOf(page);
  await page.goto(service.url);
  await press(page.locator(`a[href$="/feeds/${FEED}"]`).first());
  await page.waitForURL(`**/feeds/${FEED}`);
  await press(link("Request access").first());
  await type(page.getByLabel("Your name"), "Ada Lovelace");
  await type(page.getByLabel("Company"), "Ada Freight");
  await type(page.getByLabel("Work e-mail address"), email);
  await type(page.getByLabel("What you want to do with the data"), "Find new carriers.");
  await choose(page.getByLabel("Plan of interest"), "Growth");
  await press(button("Request access"));
  await heading("Check your mail").waitFor();
  await page.goto(await mailedLink(email, "request-access"));
  await press(button("Open my account"));

  await heading("Your new key").waitFor();
  const testKey = await textOf("#new-key");
  expect(testKey).toMatch(/^tdf_test_/);
  expect((await paste(await textOf("#new-key-curl"))).data.length).toBeGreaterThan(0);
  expect(await program(testKey)).toContain("90000002");
  const url = `${receiver.url}/${email}`;
  await service.send("POST", "/v1/webhooks", { key: testKey, body: { url, event_types: ["reinstated"] } });
  const event = { type: "reinstated", usdot: "90000004" };
  await service.send("POST", "/v1/test/events", { key: testKey, body: event });
  const arrived = () => receiver.received.find(({ path }) => path === `/${email}`);
  await until(() => arrived() !== undefined);
  expect(JSON.parse(String(arrived()?.body))).toMatchObject({
    type: "reinstated",
    data: { usdot: "90000004" },
  });

  await grant(await mailedLink(OPERATOR, "admin/access", email), handsFor);
  await until(() => mails.received.some(({ to, raw }) => to.includes(email) && /granted/.test(raw)));
  await press(menu("API keys"));
  await type(page.getByLabel("What the key is for"), "Nightly sync");
  await press(button("Make a key"));
  await heading("Your new key").waitFor();
  const liveKey = await textOf("#new-key");
  expect(liveKey).toMatch(/^tdf_live_/);
  expect(await program(liveKey)).toEqual(["4312907"]);
};

/** The operator signs in at another browser and grants the plan that was wished for. */
async function grant(requestPage: string, handsFor: (page: Page) => Hands): Promise<void> {
  const page = await browser?.newPage();
  if (!page) return;
  const { button } = partsOf(page);
  const { press } = handsFor(page);
  await page.goto(await operatorSignInLink(service.context));
  await press(button("Sign in"));
  await page.waitForURL(/\/admin$/);
  await page.goto(requestPage);
  await press(button("Grant access"));
  await page.getByText("granted", { exact: true }).first().waitFor();
  await page.close();
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

describe.skipIf(browser === null).each([
  ["a newcomer gets from the front page to the first webhook", "new", walk],
  [
    "a stranger gets from the front page to test mode, and by exchanging the key to live data",
    "strange",
    comeIn,
  ],
] as const)("%s", (_promise, who, way) => {
  it.each([
    ["with a pointer", pointer],
    ["by keyboard alone", keyboard],
  ] as const)("%s", async (how, handsFor) => {
    const page = await browser?.newPage();
    if (!page) return;
    page.setDefaultTimeout(PATIENCE_MS);
    await way(page, handsFor, `${who}.${how.replaceAll(" ", ".")}@freight.example`);
    await page.close();
  });
});
