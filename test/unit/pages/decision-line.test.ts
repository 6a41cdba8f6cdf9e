import { expect, it } from "vitest";
import type { Answer, Outcome } from "../../../src/carriers/decision/may-operate.ts";
import { shownDate } from "../../../src/pages/../platform/shown-day.ts";
import { decisionLines, decisionText } from "../../../src/pages/dashboard/parts/decision-line.ts";

const TODAY = "2026-11-22";

const answer = (outcome: Outcome, more: Partial<Answer> = {}): Answer => ({
  role: "haul",
  classes: [],
  outcome,
  ...more,
});

it.each<[expected: string, outcome: Outcome]>([
  ["yes", { may: "yes", limit: null }],
  [
    "yes, until 29 November (revocation ordered)",
    { may: "yes", limit: { code: "order", kind: "revocation", on: "2026-11-29" } },
  ],
  [
    "yes, trust fund ends 4 December (cancellation filed)",
    { may: "yes", limit: { code: "cancellation", insuranceType: "trust_fund", on: "2026-12-04" } },
  ],
  ["no (out of service)", { may: "no", because: { code: "out_of_service", since: null } }],
  [
    "no (out of service since 3 November 2019)",
    { may: "no", because: { code: "out_of_service", since: "2019-11-03" } },
  ],
  ["no (its USDOT number is not active)", { may: "no", because: { code: "usdot_not_active" } }],
  [
    "no ($750,000 of insurance is required, none is on file)",
    { may: "no", because: { code: "insurance_too_low", required: 750_000, onFile: 0 } },
  ],
  ["no (authority revoked on 3 May 2024)", { may: "no", because: { code: "revoked", since: "2024-05-03" } }],
  ["no (no active authority)", { may: "no", because: { code: "not_active" } }],
  [
    "not known (the newest files are of 10 November)",
    { may: "not known", missing: { code: "files_old", asOf: "2026-11-10" } },
  ],
  [
    "not known (insurance ended 20 November, no other one is in force)",
    { may: "not known", missing: { code: "cancellation_due", insuranceType: "bipd", on: "2026-11-20" } },
  ],
])("reads: %s", (expected, outcome) => {
  expect(decisionText(answer(outcome), TODAY)).toBe(`May haul: ${expected}`);
});

it("names the role, and the class where classes differ", () => {
  const outcome: Outcome = { may: "yes", limit: null };
  expect(decisionText(answer(outcome, { role: "arrange" }), TODAY)).toBe("May arrange: yes");
  expect(decisionText(answer(outcome, { role: "arrange", classes: ["broker"] }), TODAY)).toBe(
    "May arrange as a broker: yes",
  );
  expect(decisionText(answer(outcome, { classes: ["carrier_hhg"] }), TODAY)).toBe(
    "May haul household goods: yes",
  );
});

it("is green for yes alone, and escapes the registry's words", () => {
  const limit = { code: "order", kind: "order", on: "2026-11-29" } as const;
  const outcomes: Outcome[] = [
    { may: "yes", limit: null },
    { may: "yes", limit },
    { may: "no", because: { code: "not_active" } },
    { may: "not known", missing: { code: "status_unknown", status: "<b>" } },
  ];
  const { text } = decisionLines(
    outcomes.map((outcome) => answer(outcome)),
    TODAY,
  );
  expect([...text.matchAll(/class="verdict (\w+)"/g)].map(([, tone]) => tone)).toEqual([
    "good",
    "warn",
    "bad",
    "plain",
  ]);
  expect(text).not.toContain("<b>");
});

it("a day has its year when it is far from today", () => {
  expect(shownDate("2026-05-26", TODAY)).toBe("26 May");
  expect(shownDate("2026-05-25", TODAY)).toBe("25 May 2026");
  expect(shownDate("2027-05-21", TODAY)).toBe("21 May");
  expect(shownDate("2027-05-22", TODAY)).toBe("22 May 2027");
});
