import { describe, expect, it } from "vitest";
import { forecastOf } from "../../../src/accounts/usage/usage.ts";
import { addDays } from "../../../src/platform/clock.ts";

/** Usage of the days that end with `last`, `rows` of API answers a day unless a list says otherwise. */
const daysTo = (last: string, rows: readonly number[]) =>
  rows.map((apiRows, index) => ({ day: addDays(last, index + 1 - rows.length), apiRows, exportRows: 0 }));

/** A month with so many used rows in a plan with so many. */
const month = (start: string, quotaRows: number, limit: number) => ({
  month_start: start,
  usage: { api_requests: 0, api_rows: quotaRows, export_rows: 0, quota_rows: quotaRows },
  limits: {
    api_rows_month: limit,
    api_rpm: 60,
    api_rows_left: Math.max(0, limit - quotaRows),
    concurrent_exports: 5,
    watched_carriers: 1000,
  },
});

const SEVEN = Array.from({ length: 7 }, () => 100);

describe("a forecast", () => {
  it("adds the average of the last seven full days for today and each day after it", () => {
    const days = daysTo("2026-11-20", [...SEVEN, 30, 60, 90, 120, 150, 180, 210]);
    expect(forecastOf("2026-11-21", month("2026-11-01", 1_540, 10_000), days)).toEqual({
      rows: 1_540 + 10 * 120,
      averagedDays: 7,
      until: "2026-11-30",
      usedUpOn: null,
    });
  });

  it("counts today as an average day, or as what it already has where that is more", () => {
    const of = (usedToday: number) =>
      forecastOf("2026-11-29", month("2026-11-01", 700 + usedToday, 10_000), [
        ...daysTo("2026-11-28", SEVEN),
        ...daysTo("2026-11-29", [usedToday]),
      ])?.rows;
    expect(of(0)).toBe(900);
    expect(of(40)).toBe(900);
    expect(of(400)).toBe(1_200);
  });

  it("looks back to the month before on the first day of a month, and ahead to its last", () => {
    const days = daysTo("2026-11-30", SEVEN);
    expect(forecastOf("2026-12-01", month("2026-12-01", 0, 10_000), days)).toMatchObject({
      rows: 3_100,
      until: "2026-12-31",
    });
    expect(forecastOf("2027-02-01", month("2027-02-01", 0, 9), daysTo("2027-01-31", SEVEN))).toMatchObject({
      rows: 2_800,
      until: "2027-02-28",
    });
  });

  it("has nothing to add but today's rest on the last day of a month", () => {
    expect(
      forecastOf("2026-11-30", month("2026-11-01", 700, 10_000), daysTo("2026-11-29", SEVEN)),
    ).toMatchObject({ rows: 800, until: "2026-11-30" });
  });

  it("names the day on which the rows are used up", () => {
    const usedUp = (limit: number) =>
      forecastOf("2026-11-21", month("2026-11-01", 700, limit), daysTo("2026-11-20", SEVEN))?.usedUpOn;
    expect(usedUp(701)).toBe("2026-11-21");
    expect(usedUp(800)).toBe("2026-11-21");
    expect(usedUp(801)).toBe("2026-11-22");
    expect(usedUp(1_699)).toBe("2026-11-30");
    expect(usedUp(1_700)).toBeNull();
  });

  it("averages the full days since the first use, once there are three", () => {
    const of = (used: readonly number[]) =>
      forecastOf("2026-11-21", month("2026-11-01", 600, 10_000), daysTo("2026-11-20", used));
    expect(of([300, 300])).toBeNull();
    expect(of([300, 0, 300])).toMatchObject({ averagedDays: 3, rows: 600 + 10 * 200 });
    expect(of([600, 0, 0, 0, 0, 0, 0, 0, 0])).toMatchObject({ averagedDays: 7, rows: 600, usedUpOn: null });
    // A first use 30 days ago is as good as none, however many days the caller knows.
    expect(of([600, ...Array<number>(28).fill(0)])).toMatchObject({ rows: 600 });
    expect(of([600, ...Array<number>(29).fill(0)])).toBeNull();
  });

  it("never falls below what is used: rows that were given back lower no average below zero", () => {
    const days = daysTo("2026-11-20", [500, 0, 0, 0, -200, 0, 0, 0, 0, 0]);
    expect(forecastOf("2026-11-21", month("2026-11-01", 300, 10_000), days)?.rows).toBe(300);
  });

  it.each([
    ["without any usage", month("2026-11-01", 0, 10_000), []],
    ["with usage only today", month("2026-11-01", 500, 10_000), daysTo("2026-11-21", [500])],
    ["in a plan without rows", month("2026-11-01", 0, 0), daysTo("2026-11-20", SEVEN)],
    ["when all rows are used", month("2026-11-01", 700, 700), daysTo("2026-11-20", SEVEN)],
    [
      "when a smaller plan has fewer than are used",
      month("2026-11-01", 700, 100),
      daysTo("2026-11-20", SEVEN),
    ],
  ])("is none %s", (_when, used, days) => {
    expect(forecastOf("2026-11-21", used, days)).toBeNull();
  });
});
