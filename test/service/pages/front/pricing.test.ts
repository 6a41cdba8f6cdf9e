// The page of prices shows what the plans have: it is written from them.
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type RawServer, startRawServer } from "../../../../packages/sdk/test/raw-server.ts";
import { applyPlans, SHIPPED_PLANS } from "../../../../src/accounts/plans/plans.ts";
import { FEEDS } from "../../../../src/feeds/catalogue.ts";
import { openBrowser } from "../../../support/network/browser.ts";
import { ask } from "../../../support/pages/looks.ts";
import { startTestService, type TestService } from "../../../support/service.ts";

const WORDS = { feedCodes: FEEDS.map(({ code }) => code), regions: ["CA", "FL", "GA", "IL", "TX"] };

const CARD = '<section class="card"';

let service: TestService;
let folder: string;
beforeAll(async () => {
  service = await startTestService();
  folder = await mkdtemp(path.join(tmpdir(), "tdf-prices-"));
});
afterAll(async () => {
  await service.stop();
  await rm(folder, { recursive: true });
});

/** The page, read anew, as the text of each plan's card. */
async function cards(): Promise<string[]> {
  service.clock.advance(11_000);
  const answer = await service.get("/pricing");
  expect(answer.status).toBe(200);
  const [, ...parts] = (await answer.text()).split(CARD);
  return parts.map((part) =>
    part
      .replace(/<\/section>[\s\S]*/, "")
      .replace(/^[^>]*>/, "")
      .replaceAll(/<[^>]+>/g, " ")
      .replaceAll(/\s+/g, " ")
      .trim(),
  );
}

async function apply(text: string) {
  const file = path.join(folder, "plans.yaml");
  await writeFile(file, text);
  await applyPlans(service.context, file, WORDS);
}

it("shows the shipped plans in words, each on request", async () => {
  expect(await cards()).toEqual([]);
  await applyPlans(service.context, SHIPPED_PLANS, WORDS);
  const [files, starter, growth, national, ...more] = await cards();
  expect(more).toEqual([]);
  expect(files).toMatch(/^Desk Price on request .*no API and no webhooks/);
  expect(files).toContain("none to download");
  for (const words of [
    /^Starter Price on request/,
    "New carrier authorities , every state",
    "Brokers and freight forwarders , CA, FL, GA, IL, TX",
    "20,000 rows a month",
    "60 requests a minute",
    "5 exports at once",
    "500 carriers on watchlists",
  ])
    expect(starter).toMatch(words);
  expect(starter).not.toContain("Insurance lapse alerts");
  expect(growth).toContain("Insurance lapse alerts");
  expect(national).toContain("20,000,000 rows a month");
});

it("shows the operator's price and order, escaped, and no plan that is not listed", async () => {
  const plan = (code: string, lines: string) => `  ${code}:
    name: Plan ${code}
    api_access: true
    requests_per_minute: 7
    rows_per_month: 1
    feeds: {us_brokers: all}
${lines}`;
  await apply(
    `plans:\n${plan("acme", "")}${plan("desk", "    listed: true\n    order: 0\n    price: $49 a <month>\n    description: For one desk.\n")}`,
  );
  const [first, ...others] = await cards();
  expect(first).toMatch(/^Plan desk \$49 a &lt;month&gt; For one desk\./);
  expect(first).toContain("1 row a month");
  expect(others.map((card) => card.split(" ")[0])).toEqual(["Desk", "Starter", "Growth", "National"]);
});

it("is found from every page of the site, with feeds, documents, changes, status and the sign-in", async () => {
  for (const page of [
    "/",
    "/pricing",
    "/feeds",
    "/docs/start",
    "/docs",
    "/changelog",
    "/status",
    "/remove",
  ]) {
    const text = await (await service.get(page)).text();
    const [, menu = ""] = /<nav aria-label="Site">([\s\S]*?)<\/header>/.exec(text) ?? [];
    const entries = [...menu.matchAll(/href="([^"]+)"[^>]*>([^<]+)</g)].map(([, href, name]) => [name, href]);
    expect(entries, page).toEqual([
      ["Feeds", "/feeds"],
      ["Pricing", "/pricing"],
      ["Docs", "/docs/start"],
      ["Changelog", "/changelog"],
      ["Status", "/status"],
      ["Sign in", "/dashboard"],
    ]);
  }
});

const browser = await openBrowser();

describe.skipIf(browser === null)("in a browser", () => {
  let slow: RawServer;
  beforeAll(async () => {
    await applyPlans(service.context, SHIPPED_PLANS, WORDS);
    service.clock.advance(11_000);
    // Its pages stop for a while after their first card.
    slow = await startRawServer(async ({ url = "/" }, response) => {
      const answer = await service.get(url);
      const bytes = Buffer.from(await answer.arrayBuffer());
      const stop = bytes.indexOf(CARD, bytes.indexOf(CARD) + 1);
      response.setHeader("Content-Type", answer.headers.get("Content-Type") ?? "");
      if (stop > 0) {
        response.write(bytes.subarray(0, stop));
        await delay(500);
      }
      response.end(bytes.subarray(Math.max(0, stop)));
    });
  });
  afterAll(async () => {
    await browser?.close();
    await slow?.close();
  });

  it("nothing moves while the page comes slowly", async () => {
    const page = await browser?.newPage({ viewport: { width: 1280, height: 900 } });
    if (page === undefined) return;
    await page.goto(`${slow.url}/pricing`);
    await page.getByText("National").waitFor();
    expect(await ask(page, "shift")).toBe(0);
  });
});
