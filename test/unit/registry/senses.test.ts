import { describe, expect, test } from "vitest";
import { isUnreadableCount, readCount } from "../../../src/registry/registry-text.ts";
import { OTHER_UNIT, readAmount, UNREADABLE } from "../../../src/registry/vocabularies/senses.ts";

describe("an amount is read where it is unambiguous, else it is unknown", () => {
  test.each([
    ["750000", 750_000],
    ["750000.000000", 750_000],
    ["750,000.00", 750_000],
    ["$1,000,000", 1_000_000],
    ["7.5E5", 750_000],
    ["0", 0],
    ["0E-18", 0],
    ["0.00", 0],
    [" ", null],
    ["750", OTHER_UNIT],
    // In Europe 750,000.
    ["750.000", OTHER_UNIT],
    ["750000000000", OTHER_UNIT],
    // A thousand times the least cover of a carrier.
    ["300000000", OTHER_UNIT],
    ["750000,00", UNREADABLE],
    ["75,0000", UNREADABLE],
    ["-1", UNREADABLE],
    ["1E300", UNREADABLE],
    ["see file", UNREADABLE],
  ])("%j is %s", (raw, amount) => {
    expect(readAmount(raw, "motus_carrier.BIPD_FILE", 1)).toBe(amount);
  });

  test("in thousands of dollars", () => {
    expect(readAmount("00750", "legacy_carrier.BIPD_FILE", 1000)).toBe(750_000);
    expect(readAmount("00000", "legacy_carrier.BIPD_FILE", 1000)).toBe(0);
    expect(readAmount("7500000", "legacy_carrier.BIPD_FILE", 1000)).toBe(OTHER_UNIT);
  });
});

test("4.0 is the count 4; a text that is no number is unreadable, one that is too large is not", () => {
  expect(["4.0", "4.", "4.5", "four", "101844"].map((raw) => readCount(raw, 100_000))).toEqual([
    4,
    4,
    null,
    null,
    null,
  ]);
  expect(["4.0", "", " ", "101844", "4.5", "four"].map(isUnreadableCount)).toEqual([
    false,
    false,
    false,
    false,
    true,
    true,
  ]);
});
