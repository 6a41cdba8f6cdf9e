// An underwriter finds a company by a part of its name and decides: may it haul, is it insured, what happened to it. Then they
// watch it.
import { afterAll, beforeAll, expect, vi } from "vitest";
import { updateNames } from "../../../../src/feeds/names/names.ts";
import { refreshWords } from "../../../../src/registry/vocabularies/words.ts";
import { settableClock } from "../../../support/clock.ts";
import { setDetection } from "../../../support/events/events.ts";
import { openBrowser } from "../../../support/network/browser.ts";
import { publishRegistry, type RegistryRows } from "../../../support/registry/derived-registry.ts";
import { knowOutOfService } from "../../../support/registry/source-days.ts";
import { startTestService, type TestService } from "../../../support/service.ts";
import { type Person, partsOf, tellStory } from "./story.ts";

// A browser on a busy machine takes its time.
vi.setConfig({ testTimeout: 180_000 });

const AS_OF = "2026-11-20";
const NOW = "2026-11-22T12:00:00Z";
const browser = await openBrowser();
let service: TestService;

const carrier = (usdot: number, name: string): RegistryRows => [
  ["census", { usdot, legal_name: name }],
  [
    "motus_carrier",
    { usdot, docket: `MC${usdot}`, legal_name: name, min_coverage: 750_000, bipd_on_file: 750_000 },
  ],
  ["motus_authhist", { usdot, docket: `MC${usdot}`, changed_on: "2024-03-01" }],
  [
    "motus_insur",
    { usdot, docket: `MC${usdot}`, class_code: "P", policy_key: `P${usdot}`, insurer: "TWIN ELK CO" },
  ],
];

beforeAll(async () => {
  service = await startTestService({ clock: settableClock(NOW) });
  const { context, clock } = service;
  const { db } = context;
  const rows = [
    ...carrier(1001, "BLUE MESA FREIGHT LLC"),
    ...carrier(1002, "BLUE MESA LOGISTICS INC"),
    ...carrier(1003, "HARBOR LIGHT TRUCKING LLC"),
    [
      "motus_revokesuspend",
      { usdot: 1002, docket: "MC1002", served_on: "2026-10-30", effective_on: "2026-11-29" },
    ] as const,
  ];
  await knowOutOfService(db.pool, { asOf: AS_OF, at: NOW });
  await db.bulkTransaction(async (client) => {
    await publishRegistry(client, rows, { asOf: AS_OF, now: clock.now() });
    await refreshWords(client, new Set(["motus_authhist", "motus_revokesuspend"]));
  });
  await updateNames(context);
  await setDetection(db, { finishedAt: `${AS_OF}T11:20:05Z`, asOf: AS_OF });
});
afterAll(async () => {
  await browser?.close();
  await service.stop();
});

async function walk({ page, press, type, isByKeyboard, hasScript }: Person): Promise<void> {
  const { button, link } = partsOf(page);
  const search = page.getByRole("search").getByRole("searchbox");
  if (isByKeyboard && hasScript) {
    await page.keyboard.press("/");
    expect(await search.and(page.locator(":focus")).count()).toBe(1);
  }
  await type(search, "blue mesa");
  if (isByKeyboard) await page.keyboard.press("Enter");
  else await press(button("Find company"));
  await page.getByText("2 companies of your plan").waitFor();
  await press(link("BLUE MESA LOGISTICS INC"));

  await page.getByRole("heading", { name: "BLUE MESA LOGISTICS INC", level: 1 }).waitFor();
  const decision = page.getByText("May haul: yes, until 29 November (suspension ordered)");
  await decision.waitFor();
  const seen = await decision.boundingBox();
  expect((seen?.y ?? 0) + (seen?.height ?? 0), "seen without scrolling").toBeLessThan(
    page.viewportSize()?.height ?? 0,
  );
  await page.getByText("TWIN ELK CO").first().waitFor();
  const happened = page.getByRole("table").filter({ hasText: "What happened" });
  expect(await happened.locator("tbody tr").allTextContents()).toEqual([
    expect.stringMatching(/^30 October.*takes effect on 29 November/),
    expect.stringMatching(/^1 January 2025.*TWIN ELK CO filed/),
    expect.stringMatching(/^1 March 2024.*Authority granted/),
  ]);

  await press(button("Watch"));
  await page.getByText("1 row of this month's quota was charged.").waitFor();
  await press(page.locator("main").getByRole("link", { name: "Watched", exact: true }));
  await page.getByRole("row", { name: /BLUE MESA LOGISTICS INC/ }).waitFor();
}

tellStory(browser, "an underwriter finds a company by name, decides and watches it", {
  service: () => service,
  plan: { feeds: { us_small_carriers_active: null, us_revocation_pending: null } },
  walk,
});
