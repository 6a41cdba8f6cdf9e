// What a form says of wrong values: all of them at once, each at its field, in the words of the field.
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { expectGoodLooks, signedInCustomer } from "../../../support/dashboard.ts";
import { setDetection } from "../../../support/events/events.ts";
import { feedRecord, publishFeed } from "../../../support/feeds/published-feed.ts";
import { openBrowser } from "../../../support/network/browser.ts";
import { startTestService, type TestService } from "../../../support/service.ts";
import { registerEndpoint } from "../../../support/webhooks/endpoints.ts";

// A browser on a busy machine takes its time.
vi.setConfig({ testTimeout: 300_000 });

const FEED = "us_small_carriers_active";

const browser: Browser | null = await openBrowser();
let service: TestService;
let page: Page;
let endpoint: string;

beforeAll(async () => {
  service = await startTestService();
  const { db, clock } = service.context;
  const records = [feedRecord(FEED, { dot_number: "77", state: "TX" })];
  await publishFeed(db, FEED, { records, asOf: "2026-11-20", now: clock.now() });
  await setDetection(db, { finishedAt: "2026-11-20T11:20:05Z", asOf: "2026-11-20" });
  if (browser === null) return;
  const plan = { email: "typist@freight.example", feeds: { [FEED]: null, us_brokers: null } };
  const account = await signedInCustomer(browser, service, plan);
  page = account.page;
  const { id } = await registerEndpoint(service.context, account.accountId, {});
  endpoint = `/dashboard/webhooks/${id}`;
});
afterAll(async () => {
  await browser?.close();
  await service.stop();
});

/** The wrong fields of the page by id with what each is told, and which one has the focus. */
async function wrongFields(): Promise<{ told: Record<string, string>; focus: string }> {
  const told = await page.locator("[aria-invalid=true]").evaluateAll((fields) =>
    Object.fromEntries(
      fields.map((field) => {
        const ids = (field.getAttribute("aria-describedby") ?? "").split(" ");
        const error = ids.find((id: string) => id.endsWith("-error")) ?? "";
        return [field.id, field.ownerDocument.getElementById(error)?.textContent ?? ""];
      }),
    ),
  );
  const focused = async () => String(await page.evaluate("document.activeElement.id"));
  // A browser moves the focus a moment after the page is loaded.
  await expect.poll(focused).not.toBe("");
  const focus = await focused();
  // The summary above names each field by its label, and leads to it.
  const links = await page
    .getByRole("alert")
    .getByRole("link")
    .evaluateAll((all) => all.map((link) => link.getAttribute("href")));
  expect(links).toEqual(Object.keys(told).map((id) => `#${id}`));
  return { told, focus };
}

const send = async (query: string): Promise<number | undefined> => (await page.goto(query))?.status();

describe.skipIf(browser === null)("a feed's filters", () => {
  it("are told apart, with what may be written, and nothing of the API", async () => {
    const wrong =
      "trucks_min=abc&state=XX&cargo=nonsense&granted_since=soon&phone_type=maybe&since=yesterday";
    expect(await send(`/dashboard/feeds/${FEED}?${wrong}`)).toBe(400);
    const { told, focus } = await wrongFields();
    expect(told).toEqual({
      state: "“XX” is not known. Tick those that you want.",
      trucks_min: "Write a whole number from 0 to 2,147,483,647.",
      granted_since: "Write a day like 2026-11-18.",
      phone_type: "Choose one of the list.",
      cargo: "“nonsense” is not known. Tick those that you want.",
      since: "Write a day like 2026-11-18.",
    });
    expect(focus).toBe("state");
    expect(await page.getByRole("alert").textContent()).toMatch(/Trucks, at least: Write a whole number/);
    expect(await page.locator("main").textContent()).not.toContain("trucks_min:");
    expect(await page.getByLabel("Trucks, at least").inputValue()).toBe("abc");
    await expectGoodLooks(page, "feed-wrong-fields");
  });

  it("are told when two of them leave nothing", async () => {
    expect(await send(`/dashboard/feeds/${FEED}?trucks_min=9&trucks_max=3&state=TX`)).toBe(400);
    expect(await wrongFields()).toEqual({
      told: { trucks_max: "It must not be below “Trucks, at least”." },
      focus: "trucks_max",
    });
  });
});

describe.skipIf(browser === null)("the form of an endpoint", () => {
  const fill = async (): Promise<void> => {
    await page.getByLabel("Address").fill("http://hooks.example.com/in");
    await page.getByLabel("States").fill("TX, ZZ");
    await page.getByLabel("Trucks, at least").fill("9");
    await page.getByLabel("Trucks, at most").fill("3");
    await page.getByLabel("USDOT numbers").fill("12x");
    for (const box of await page.locator("input[name=event_types]").all()) await box.uncheck();
  };
  const TOLD = {
    url: "It must begin with https://.",
    event_types: "Choose at least one.",
    states: "“ZZ” is not a US state. Write two-letter codes like TX, OK.",
    trucks_max: "It must not be below “Trucks, at least”.",
    usdots: "Write 1 to 8 digits for each.",
  };

  it.each([
    ["new", () => "/dashboard/webhooks", "Register"],
    ["settings", () => `${endpoint}/edit`, "Save"],
  ])("says everything that is wrong at once: %s", async (name, path, button) => {
    await page.goto(path());
    await fill();
    await page.getByRole("button", { name: button }).click();
    await page.getByText("Nothing was saved.").waitFor();
    expect(await wrongFields()).toEqual({ told: TOLD, focus: "url" });
    expect(await page.getByLabel("States").inputValue()).toBe("TX, ZZ");
    expect(await page.locator("main").textContent()).not.toContain("filters states");
    await expectGoodLooks(page, `endpoint-wrong-${name}`);
  });
});

describe.skipIf(browser === null)("other forms", () => {
  it.each([
    [
      "events",
      () => "/dashboard/events?type=none&state=Ohio&usdot=x",
      {
        type: "Choose one of the list.",
        state: "Write two-letter codes of US states with commas between them, like TX, CA.",
        usdot: "Write 1 to 8 digits.",
      },
    ],
    [
      "deliveries",
      () => `${endpoint}?status=none&queued_from=2026-11-22T00:00&queued_to=2026-11-21T00:00`,
      { status: "Choose one of the list.", queued_to: "It must be after the first time." },
    ],
    [
      "a replay",
      () => `${endpoint}/replay?from=2026-11-22T00:00&to=2026-11-21T00:00`,
      { to: "It must be after the first time." },
    ],
  ])("say what is wrong at the field, too: %s", async (_, path, told) => {
    expect(await send(path())).toBe(400);
    expect(await wrongFields()).toEqual({ told, focus: Object.keys(told)[0] });
  });

  it("say it of the name of a key", async () => {
    await page.goto("/dashboard/keys");
    await page.getByLabel("What the key is for").fill("   ");
    await page.getByRole("button", { name: "Make a key" }).click();
    const { told, focus } = await wrongFields();
    expect([Object.keys(told), focus]).toEqual([["name"], "name"]);
  });

  // The name was checked last, so it was told only once everything else was right.
  it("say everything that is wrong with a key at once", async () => {
    await page.goto("/dashboard/keys");
    await page.getByLabel("What the key is for").fill("   ");
    for (const box of await page.locator("input[name=scopes]").all()) await box.uncheck();
    await page.getByLabel("Days until it ends").fill("0x1");
    await page.getByLabel("Networks that it may be used from").fill("nowhere");
    await page.getByRole("button", { name: "Make a key" }).click();
    await page.getByText("No key was made.").waitFor();
    const { told, focus } = await wrongFields();
    expect([Object.keys(told), focus]).toEqual([["name", "scopes", "days", "networks"], "name"]);
    expect(told.name).toContain("1 to 100 characters");
  });
});
