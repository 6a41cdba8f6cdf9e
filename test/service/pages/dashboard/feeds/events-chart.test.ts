// The picture of the plan's events has the figures of the API.
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { EVENT_TYPES, eventTypeLabel } from "../../../../../src/events/event-types.ts";
import type { components } from "../../../../../src/generated/types.ts";
import { dayOf } from "../../../../../src/platform/clock.ts";
import { expectGoodLooks, signedInCustomer } from "../../../../support/dashboard.ts";
import { putEvents, setDetection } from "../../../../support/events/events.ts";
import { openBrowser } from "../../../../support/network/browser.ts";
import { removeBusinesses } from "../../../../support/removals/removals.ts";
import { startTestService, type TestService } from "../../../../support/service.ts";

// A browser on a busy machine takes its time.
vi.setConfig({ testTimeout: 120_000 });

const browser: Browser | null = await openBrowser();
let service: TestService;

beforeAll(async () => {
  service = await startTestService();
});
afterAll(async () => {
  await browser?.close();
  await service.stop();
});

type Events = components["schemas"]["EventsOut"];

describe.skipIf(browser === null)("the events of the plan in a picture", () => {
  it("has those of 30 days by day and type, which are those of the API, without removed businesses and other states", async () => {
    const { context, clock } = service;
    const feeds = { us_new_authority_weekly: ["TX", "OH"], us_insurance_lapse_alerts: ["TX", "OH"] };
    const { page, key } = await signedInCustomer(browser as Browser, service, {
      email: "events@freight.example",
      feeds,
    });
    const now = clock.now();
    await setDetection(context.db, { finishedAt: now.toISOString(), asOf: dayOf(now) });
    await page.goto("/dashboard/events");
    await page.getByText("No events yet").waitFor();
    expect(await page.locator(".chart").count()).toBe(0);

    const daysAgo = (days: number) => new Date(now.getTime() - days * 86_400_000);
    const put: Parameters<typeof putEvents>[1][number][] = [];
    for (const [days, count] of [
      [30, 4],
      [29, 3],
      [12, 5],
      [1, 7],
      [0, 2],
    ] as const) {
      for (let index = 0; index < count * EVENT_TYPES.length; index++) {
        put.push({
          type: EVENT_TYPES[index % EVENT_TYPES.length] ?? "reinstated",
          usdot: 4_000_000 + put.length,
          state: index % 4 === 3 ? "CA" : index % 2 === 0 ? "TX" : "OH",
          detectedAt: daysAgo(days).toISOString(),
        });
      }
    }
    await putEvents(context.db, put);
    const inPlan = put.filter(({ type, state }) => type === "new_authority_granted" && state !== "CA");
    const removed = inPlan.slice(-2).map(({ usdot = 0 }) => usdot);
    await removeBusinesses(context.db, removed, now);

    const since = `${dayOf(daysAgo(29))}T00:00:00Z`;
    const answer = await service.get(`/v1/events?since=${since}&limit=1000`, key);
    expect(answer.status).toBe(200);
    const { data, meta } = (await answer.json()) as Events;
    const types = (meta.scope.by_type ?? []).map(({ type }) => type);
    expect(data.length).toBeGreaterThan(20);
    const expected = Array.from({ length: 30 }, (_, index) => dayOf(daysAgo(29 - index))).map((day) =>
      types.map(
        (type) => data.filter((each) => each.type === type && each.detected_at?.startsWith(day)).length,
      ),
    );
    expect(expected.filter((counts) => counts.some((count) => count > 0))).toHaveLength(4);

    await page.goto("/dashboard/events");
    const table = page.getByRole("region", {
      name: "Events noticed in the last 30 days",
      includeHidden: true,
    });
    const cells = await table
      .locator("tr")
      .evaluateAll((rows) => rows.map((row) => [...row.children].map((cell) => cell.textContent ?? "")));
    expect(cells[0]).toEqual(["Noticed", ...types.map(eventTypeLabel)]);
    expect(cells.slice(1).map(([, ...counts]) => counts.map(Number))).toEqual(expected);
    expect(cells.at(-1)?.[0]).toBe(`${dayOf(now)} so far`);
    expect(await page.locator(".legend .key").allTextContents()).toEqual([
      ...types.map(eventTypeLabel),
      "today so far",
    ]);
    const bar = await page.locator("svg.wide .bar .shown").last().textContent();
    const today = types.map((type, index) => `${expected.at(-1)?.[index]} ${eventTypeLabel(type)}`);
    expect(bar).toBe(`${dayOf(now)} so far: ${today.join(" ")}`);
    await expectGoodLooks(page, "events-chart");

    await page.goto("/dashboard/events?state=TX");
    expect(await page.locator(".chart").count()).toBe(0);
  });
});
