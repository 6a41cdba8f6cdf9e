import { describe, expect, it } from "vitest";
import { retryDueAt } from "../../../../src/webhooks/dispatch/retry-schedule.ts";

describe("the retry schedule", () => {
  it("spreads deliveries that failed together: no second gets three times its share", () => {
    const failedAt = new Date("2026-11-21T12:00:00Z");
    for (const [step, seconds] of [60, 600, 3_600, 21_600, 86_400].entries()) {
      const spreadSeconds = Math.min(seconds / 10, 30);
      const dueSeconds = Array.from({ length: 5_000 }, () => {
        const dueAt = retryDueAt([60, 600, 3_600, 21_600, 86_400], { failuresBefore: step, failedAt });
        return ((dueAt?.getTime() ?? 0) - failedAt.getTime()) / 1000 - seconds;
      });
      expect(Math.min(...dueSeconds)).toBeGreaterThanOrEqual(0);
      expect(Math.max(...dueSeconds)).toBeLessThanOrEqual(spreadSeconds);
      const bySecond = Map.groupBy(dueSeconds, Math.floor);
      const busiest = Math.max(...[...bySecond.values()].map((all) => all.length));
      expect(busiest).toBeLessThan((3 * 5_000) / spreadSeconds);
    }
  });

  it("is put off by Retry-After, by at most a day, and never comes earlier", () => {
    const failedAt = new Date("2026-11-21T12:00:00Z");
    const delayOf = (retryAfter: string) => {
      const dueAt = retryDueAt([600], { failuresBefore: 0, failedAt, retryAfter });
      return Math.floor(((dueAt?.getTime() ?? 0) - failedAt.getTime()) / 60_000);
    };
    expect(delayOf("3600")).toBe(60);
    expect(delayOf("Sat, 21 Nov 2026 14:00:00 GMT")).toBe(120);
    expect(delayOf("9999999999")).toBe(24 * 60);
    expect(delayOf("Sat, 21 Nov 2099 14:00:00 GMT")).toBe(24 * 60);
    for (const text of ["1", "-5", "soon", "", "1e9", "Sat, 21 Nov 2020 14:00:00 GMT"]) {
      expect(delayOf(text), text).toBe(10);
    }
  });

  it("ends after its last step", () => {
    const failedAt = new Date("2026-11-21T12:00:00Z");
    expect(retryDueAt([60, 600], { failuresBefore: 2, failedAt })).toBeNull();
  });
});
