// The pictures of an endpoint have the figures of its deliveries in the API.
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type { components } from "../../../../../src/generated/types.ts";
import { expectGoodLooks, signedInCustomer } from "../../../../support/dashboard.ts";
import { openBrowser } from "../../../../support/network/browser.ts";
import { startTestService, type TestService } from "../../../../support/service.ts";
import { putDelivery, putResult, putRetry } from "../../../../support/webhooks/deliveries.ts";
import { registerEndpoint } from "../../../../support/webhooks/endpoints.ts";

// A browser on a busy machine takes its time.
vi.setConfig({ testTimeout: 120_000 });

const browser: Browser | null = await openBrowser();
let service: TestService;
let page: Page;
let key: string;
let accountId: number;

beforeAll(async () => {
  service = await startTestService();
  if (browser === null) return;
  const plan = { email: "charts@freight.example", feeds: { us_brokers: null } };
  ({ page, key, accountId } = await signedInCustomer(browser, service, plan));
});
afterAll(async () => {
  await browser?.close();
  await service.stop();
});

const registered = async (name: string): Promise<number> => {
  const { id } = await registerEndpoint(service.context, accountId, { url: `https://${name}.example/hook` });
  return id;
};

/** The cells of a folded table, row by row. */
const rowsOf = (label: string) =>
  page
    .getByRole("region", { name: label, includeHidden: true })
    .locator("tbody tr")
    .evaluateAll((rows) => rows.map((row) => [...row.children].map((cell) => cell.textContent ?? "")));

type Delivery = components["schemas"]["DeliveriesOut"]["data"][number];

/** The least value that so many of 100 do not exceed. */
const percentile = (values: readonly number[], percent: number): string => {
  const sorted = values.toSorted((a, b) => a - b);
  const value = sorted[Math.ceil((sorted.length * percent) / 100) - 1];
  return value === undefined ? "–" : `${value.toLocaleString("en-US")} ms`;
};

describe.skipIf(browser === null)("an endpoint in pictures", () => {
  it("has none before the first delivery, and none of tests alone", async () => {
    const id = await registered("quiet");
    await putDelivery(service.context, { endpointId: id, isTest: true, status: "delivered" });
    await page.goto(`/dashboard/webhooks/${id}`);
    await page.getByRole("heading", { name: "Deliveries", exact: true }).waitFor();
    expect(await page.locator(".chart").count()).toBe(0);
  });

  it("shows its deliveries and the time to answer by day, as the API has them", async () => {
    const { context, clock } = service;
    const now = clock.now();
    const [id, other] = [await registered("busy"), await registered("other")];
    const put = (daysAgo: number, endpointId = id) => {
      clock.set(new Date(now.getTime() - daysAgo * 86_400_000).toISOString());
      return putDelivery(context, { endpointId });
    };
    for (const [daysAgo, times] of [
      [14, [7]],
      [13, [90, 30, 60]],
      [2, Array.from({ length: 40 }, (_, index) => 2_000 - index * 45)],
      [0, [120]],
    ] as const) {
      for (const durationMs of times) {
        await putResult(context, await put(daysAgo), { outcome: "delivered", durationMs, httpStatus: 200 });
      }
    }
    // One that failed at first and is delivered later, one that failed for good, one without an answer, and others.
    const late = await put(2);
    await putResult(context, late, {
      outcome: "retried",
      reason: "answer_not_2xx",
      durationMs: 5,
      httpStatus: 503,
    });
    await putResult(context, late, { outcome: "delivered", durationMs: 11, httpStatus: 200 });
    await putResult(context, await put(2), {
      outcome: "failed",
      reason: "answer_not_2xx",
      durationMs: 9,
      httpStatus: 500,
    });
    await putResult(context, await put(1), { outcome: "failed", durationMs: 10_000 });
    await putResult(context, await put(1), { outcome: "cancelled" });
    await putRetry(context, await put(0), { failures: 1 });
    await putResult(context, await put(0, other), { outcome: "failed", durationMs: 77, httpStatus: 500 });
    await putDelivery(context, { endpointId: id, isTest: true, status: "failed" });

    const answer = await service.get(`/v1/webhooks/${id}/deliveries?limit=100`, key);
    expect(answer.status).toBe(200);
    const { data } = (await answer.json()) as { data: Delivery[] };
    const days = Array.from({ length: 14 }, (_, index) =>
      new Date(now.getTime() - (13 - index) * 86_400_000).toISOString().slice(0, 10),
    );
    const expected = days.map((day) => {
      const ofDay = data.filter(({ created_at, is_test }) => created_at.startsWith(day) && !is_test);
      const times = ofDay.flatMap(({ attempts }) =>
        attempts.flatMap(({ duration_ms, http_status }) => (http_status === null ? [] : [duration_ms])),
      );
      const countOf = (status: string) => ofDay.filter((each) => each.status === status).length;
      return { day, counts: [countOf("delivered"), countOf("failed")], times };
    });
    expect(expected.map(({ counts }) => counts.join())).toEqual([
      ...["3,0"],
      ...Array<string>(10).fill("0,0"),
      "41,1",
      "0,1",
      "1,0",
    ]);

    await page.goto(`/dashboard/webhooks/${id}`);
    const today = days.at(-1);
    const nameOf = (day: string) => (day === today ? `${day} so far` : day);
    expect(await rowsOf("Deliveries by day")).toEqual(
      expected.map(({ day, counts }) => [nameOf(day), ...counts.map(String)]),
    );
    expect(await rowsOf("Time to answer")).toEqual(
      expected.map(({ day, times }) => [nameOf(day), percentile(times, 50), percentile(times, 95)]),
    );
    const points = await page.locator("svg.wide circle title").allTextContents();
    const answered = expected.filter(({ times }) => times.length > 0);
    expect(points).toEqual([
      ...answered.map(({ day, times }) => `${nameOf(day)}: ${percentile(times, 50)} median`),
      ...answered.map(({ day, times }) => `${nameOf(day)}: ${percentile(times, 95)} 95th percentile`),
    ]);
    const bars = await page.locator("svg.wide .bar .shown").allTextContents();
    expect(bars.at(-3)).toContain(": 41 delivered, 1 failed");
    await expectGoodLooks(page, "endpoint-charts");
  });
});
