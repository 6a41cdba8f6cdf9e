import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  CORRUPT_DATE,
  cleanText,
  EARLIEST_DATE,
  readCount,
  readDate,
  readStateCode,
} from "../../../src/registry/registry-text.ts";
import { anyCharacter } from "../../support/any-character.ts";

describe("cleanText", () => {
  test.each([
    ["A&M TRANSIT LINES, LLC", "A&M TRANSIT LINES, LLC"],
    ["  DOUBLE  BLANK\tAND\r\nLINE ", "DOUBLE BLANK AND LINE"],
    ["PEÑA\u00a0Y MUÑOZ", "PEÑA Y MUÑOZ"],
    ["NUL\0INSIDE\u0001\u0002", "NUL INSIDE"],
    ["\u202eSSERPXE\u202c \u2066\u2069 LLC\u202a", "SSERPXE LLC"],
    ["AC\u2067ME", "ACME"],
    ["\u202a \u2069", null],
    [" ", null],
    ["", null],
    ["\u200b\u00a0", null],
    [undefined, null],
  ])("reads %j as %j", (raw, text) => {
    expect(cleanText(raw)).toBe(text);
  });

  test("leaves no control character, outer blank or run of blanks in any text", () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter }), (raw) => {
        const text = cleanText(raw);
        if (text === null) return;
        expect(text).not.toMatch(/\p{Cc}|[\u2028-\u202e\u2066-\u2069]|^\s|\s$|\s\s/u);
        expect(cleanText(text)).toBe(text);
      }),
    );
  });
});

describe("readDate", () => {
  const LATEST = "2028-10-01";

  test.each([
    ["07/18/1986", "1986-07-18"],
    ["7/4/1986", "1986-07-04"],
    ["20210615", "2021-06-15"],
    ["20210615 1432", "2021-06-15"],
    ["2021-06-15T00:00:00.000", "2021-06-15"],
    ["02/29/2024", "2024-02-29"],
    [" ", null],
    ["02/29/2023", CORRUPT_DATE],
    ["20231301", CORRUPT_DATE],
    ["01890104", CORRUPT_DATE],
    ["06/15/2517", CORRUPT_DATE],
    ["12/31/1934", CORRUPT_DATE],
    ["20281002", CORRUPT_DATE],
    ["yesterday", CORRUPT_DATE],
    ["00000000", CORRUPT_DATE],
  ])("reads %j as %j", (raw, date) => {
    expect(readDate(raw, LATEST)).toBe(date);
  });

  test("reads the same day from every form", () => {
    const days = fc.date({
      min: new Date(`${EARLIEST_DATE}T00:00:00Z`),
      max: new Date(`${LATEST}T00:00:00Z`),
      noInvalidDate: true,
    });
    fc.assert(
      fc.property(days, (instant) => {
        const day = instant.toISOString().slice(0, 10);
        const [year, month, date] = day.split("-");
        for (const form of [
          day,
          `${year}${month}${date}`,
          `${month}/${date}/${year}`,
          `${year}${month}${date} 0915`,
        ])
          expect(readDate(form, LATEST)).toBe(day);
      }),
    );
  });

  test("gives a real day within the limits, or none, for any text", () => {
    const almostDates = fc.string({
      unit: fc.constantFrom(..."0123456789/- T".split("")),
      minLength: 6,
      maxLength: 12,
      size: "max",
    });
    fc.assert(
      fc.property(almostDates, (raw) => {
        const date = readDate(raw, LATEST);
        if (date === null || date === CORRUPT_DATE) return;
        expect(new Date(`${date}T00:00:00Z`).toISOString().slice(0, 10)).toBe(date);
        expect(date >= EARLIEST_DATE && date <= LATEST).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });
});

test("a count is a whole number up to its limit, else null", () => {
  expect([" 7 ", "0", "007", "100000"].map((raw) => readCount(raw, 100_000))).toEqual([7, 0, 7, 100_000]);
  for (const junk of ["", "-1", "1.5", "100001", "999999999999", "many"])
    expect(readCount(junk, 100_000)).toBeNull();
});

test("a state is two letters in capitals, else null", () => {
  expect([" tx", "PR", "ON"].map(readStateCode)).toEqual(["TX", "PR", "ON"]);
  for (const junk of ["", "T", "TEX", "T1"]) expect(readStateCode(junk)).toBeNull();
});
