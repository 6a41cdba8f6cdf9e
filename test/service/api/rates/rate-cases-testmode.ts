// The answers of the operation that makes test events, for rate-cases.ts.
import { bodyCasesOf, FRESH_DOT, keyedCasesOf, postedCasesOf, type RateCase } from "./rate-cases.ts";

const MADE = {
  method: "POST",
  path: "/v1/test/events",
  body: { type: "reinstated", usdot: FRESH_DOT },
} as const;
const operation = "createTestEvent";

export const TEST_MODE_CASES: readonly RateCase[] = [
  ...postedCasesOf(operation, "201", MADE, "event"),
  ...bodyCasesOf(operation, MADE),
  ...keyedCasesOf(operation, MADE),
  { operation, ...MADE, answer: "test_key_required", hasLiveKey: true },
  { operation, ...MADE, body: { ...MADE.body, usdot: "7" }, answer: "not_found" },
];
