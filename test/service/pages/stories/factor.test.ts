// A factor watches 4,000 carriers from a column of a sheet, sees which numbers were taken and which were not, has the changes of
// the next day in the list, and gets them by mail from then on.
import { afterAll, beforeAll, expect, vi } from "vitest";
import { mailChanges } from "../../../../src/carriers/watch-mail.ts";
import { addDays } from "../../../../src/platform/clock.ts";
import { setDetection } from "../../../support/events/events.ts";
import { openBrowser } from "../../../support/network/browser.ts";
import { putChanges } from "../../../support/registry/recorded-changes.ts";
import { putRows } from "../../../support/rows.ts";
import { startTestService, type TestService } from "../../../support/service.ts";
import { type Person, partsOf, tellStory } from "./story.ts";

// A browser on a busy machine takes its time.
vi.setConfig({ testTimeout: 180_000 });

const KNOWN = Array.from({ length: 3_950 }, (_, index) => 100_001 + index);
const TWICE = KNOWN.slice(0, 20);
const UNKNOWN = Array.from({ length: 18 }, (_, index) => 900_001 + index);
const UNREADABLE = Array.from({ length: 12 }, (_, index) => `see note ${index + 1}`);
/** Every other number as an MC number. */
const numberOf = (usdot: number): string => (usdot % 2 === 0 ? `MC-${usdot}` : String(usdot));
const SHEET = [
  "Client;DOT number;Limit",
  ...[...KNOWN.map(numberOf), ...TWICE.map(String), ...UNKNOWN, ...UNREADABLE].map(
    (cell, index) => `CLIENT ${index};${cell};${index}000`,
  ),
];

const browser = await openBrowser();
let service: TestService;
let day = "2026-11-20";

beforeAll(async () => {
  service = await startTestService();
  const { db } = service.context;
  const authorities = KNOWN.map((usdot) => ({
    usdot,
    docket: `MC${usdot}`,
    registry_state: "TX",
    registry_name: `CLIENT ${usdot}`,
  }));
  await putRows(db.pool, "authority", ...authorities);
  await registryOf(day);
});
afterAll(async () => {
  await browser?.close();
  await service.stop();
});

async function registryOf(next: string): Promise<void> {
  day = next;
  service.clock.set(`${day}T12:00:00Z`);
  await setDetection(service.context.db, { finishedAt: `${day}T11:20:05Z`, asOf: day });
}

/** The next day of the registry, on which two of the carriers changed, and one that is not watched. Returns the new phone. */
async function nextDay(): Promise<string> {
  await registryOf(addDays(day, 1));
  const after = `5125550${day.slice(-2)}7`;
  const phone = { category: "contact", field: "phone", before: "5125550142", after };
  const changes = [{ usdot: 100_007, ...phone }, { usdot: 103_950 }, { usdot: 900_100, ...phone }];
  await putChanges(service.context.db, changes, service.clock.now());
  return after;
}

async function walk({ page, accountId, press, type, upload, signInAgain }: Person): Promise<void> {
  const { button, link, menu } = partsOf(page);
  expect(SHEET).toHaveLength(1 + 4_000);
  await press(menu("Watchlists"));
  await type(page.getByLabel("Name", { exact: true }), "Clients");
  await press(button("Make a list"));
  await page.getByText("The list is made.").waitFor();
  const buffer = Buffer.from(SHEET.join("\r\n"));
  await upload(page.getByLabel("Or a CSV file"), { name: "clients.csv", mimeType: "text/csv", buffer });
  await press(button("Add"));

  await page.getByRole("heading", { name: "3,950 carriers added" }).waitFor();
  await page.getByText("3,950 rows of this month's quota were charged.").waitFor();
  await page.getByText("4,000 numbers were read from column “DOT number” of the file.").waitFor();
  await page.getByText("20 numbers were there twice or more").waitFor();
  await page
    .getByText("No carrier of your plan's states has these numbers (18): 900001, 900002, 900003")
    .waitFor();
  await page.getByText("12 could not be read: see note 1, see note 2").waitFor();
  await page.getByText("3,950 carriers. A watched carrier").waitFor();

  await press(menu("Watchlists"));
  await press(button("Switch the mail on"));
  await page.getByText("It begins with the next day of the registry.").waitFor();
  const phone = await nextDay();
  await signInAgain();
  await press(menu("Watchlists"));
  await press(link("Clients"));
  await page.getByText(`Phone changed from 5125550142 to ${phone}.`).waitFor();
  const ofTheDay = page.locator("main h3").first().locator("xpath=following-sibling::ul[1]/li");
  expect((await ofTheDay.allInnerTexts()).map((text) => text.split(/\n+/)).toSorted()).toEqual([
    ["CLIENT 100007", `Phone changed from 5125550142 to ${phone}.`],
    ["CLIENT 103950", "Trucks changed from 3 to 5."],
  ]);

  await mailChanges(service.context);
  const { prisma } = service.context.db;
  const mails = await prisma.mailOutbox.findMany({ where: { purpose: "carrier_changes" } });
  expect(mails.filter(({ body }) => JSON.parse(body ?? "{}").accountId === accountId)).toHaveLength(1);
}

tellStory(browser, "a factor watches 4,000 carriers", {
  service: () => service,
  plan: { feeds: { us_brokers: null }, rowsPerMonth: 10_000, watchedCarriers: 5_000 },
  walk,
});
