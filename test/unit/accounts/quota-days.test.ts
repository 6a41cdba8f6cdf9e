import { describe, expect, it } from "vitest";
import { quotaByDay } from "../../../src/accounts/usage/quota-days.ts";

const monthOf = (month_start: string, quota_rows: number) => ({
  month_start,
  usage: { api_requests: 0, api_rows: 0, export_rows: 0, quota_rows },
});
const day = (of: string, apiRows: number, exportRows = 0) => ({ day: of, apiRows, exportRows });

describe("the rows used by day", () => {
  it("end at the month's rows, also on the 31st, when the first of the month is not among the days", () => {
    const days = quotaByDay("2026-12-31", monthOf("2026-12-01", 1_000), [
      day("2026-12-02", 100),
      day("2026-12-02", 50, 50),
      day("2026-12-31", 300),
    ]);
    expect(days).toHaveLength(31);
    expect([days[0], days[1], days[29], days[30]]).toEqual([
      { day: "2026-12-01", used: 500 },
      { day: "2026-12-02", used: 700 },
      { day: "2026-12-30", used: 700 },
      { day: "2026-12-31", used: 1_000 },
    ]);
  });

  it("fall where rows were given back, never below none, and leave out the month before", () => {
    const days = quotaByDay("2026-11-03", monthOf("2026-11-01", 20), [
      day("2026-10-31", 500),
      day("2026-11-01", 60),
      day("2026-11-02", 0, -40),
      day("2026-11-03", 30),
    ]);
    expect(days.map(({ used }) => used)).toEqual([30, 0, 20]);
  });
});
