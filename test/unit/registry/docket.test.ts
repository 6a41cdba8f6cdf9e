import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readDocket, readUsdot, typedDocket, typedUsdot } from "../../../src/registry/docket.ts";

describe("readUsdot", () => {
  test.each([
    ["00295017", 295_017],
    ["295017", 295_017],
    [" 1 ", 1],
    ["99999999", 99_999_999],
    ["00000000", null],
    ["0", null],
    ["123456789", null],
    ["29501A", null],
    ["-5", null],
    ["", null],
    [undefined, null],
  ])("reads %j as %j", (raw, usdot) => {
    expect(readUsdot(raw)).toBe(usdot);
  });

  test("reads a number the same with and without padding", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 99_999_999 }), (usdot) => {
        expect(readUsdot(String(usdot))).toBe(usdot);
        expect(readUsdot(String(usdot).padStart(8, "0"))).toBe(usdot);
      }),
    );
  });
});

describe("a number that a customer writes", () => {
  test.each([
    "3750891",
    "USDOT 3750891",
    "usdot3750891",
    "US DOT 3750891",
    "U.S. DOT 03750891",
    "U.S.D.O.T. 3750891",
    "US-DOT # 3750891",
    "USDOT No. 3750891",
    "DOT Number: 3750891",
    "DOT/3750891 ",
  ])("is read as a USDOT number: %j", (text) => {
    expect([typedUsdot(text), typedDocket(text)]).toEqual([3_750_891, null]);
  });

  test.each([
    "MC1498345",
    "mc-01498345",
    "MC No. 1498345",
    "MC Number 1498345",
    "M.C. # 1498345",
    "MC–1498345",
  ])("is read as a docket: %j", (text) => {
    expect([typedUsdot(text), typedDocket(text)]).toEqual([null, "MC1498345"]);
  });

  test.each([
    "",
    "USDOT",
    "USDOT 0",
    "USDOT 123456789",
    "USDOT 12 34",
    "DOT -5",
    "DOT 12.5",
    "MC No 12/13",
    "MC No. 12.5",
    "MC 12.5",
    "MC12.0",
    "MC 12-13",
    "M.C. Number 12-13",
    "USDOT 12 MC 34",
    "MC USDOT 34",
    "MC 12 USDOT 34",
    "12 USDOT 34",
    "POLKADOT 12",
    "AMC 12 LLC",
    "MC No.",
    "P-123",
  ])("is never guessed from %j", (text) => {
    expect([typedUsdot(text), typedDocket(text)]).toEqual([null, null]);
  });

  test("is not how the registry's files write one", () => {
    expect([readUsdot("USDOT 101"), readDocket("MC No. 101")]).toEqual([null, null]);
  });
});

describe("readDocket", () => {
  test.each([
    ["MC139446", "MC139446"],
    ["MC-1426065", "MC1426065"],
    ["mc 000675", "MC675"],
    ["FF-000031", "FF31"],
    ["MX-255345", "MX255345"],
    ["MC86415293", "MC86415293"],
    ["MC000000", null],
    ["MC", null],
    ["P123456", null],
    ["139446", null],
    ["MC139446SUB1", null],
    ["MC123456789", null],
    [" ", null],
  ])("reads %j as %j", (raw, docket) => {
    expect(readDocket(raw)).toBe(docket);
  });

  test("gives one form for every spelling of a docket", () => {
    const prefixes = fc.constantFrom("MC", "FF", "MX");
    fc.assert(
      fc.property(prefixes, fc.integer({ min: 1, max: 99_999_999 }), fc.nat(3), (prefix, number, zeros) => {
        const padded = "0".repeat(zeros) + number;
        for (const raw of [
          `${prefix}${padded}`,
          `${prefix}-${padded}`,
          ` ${prefix.toLowerCase()} ${padded} `,
        ])
          expect(readDocket(raw)).toBe(`${prefix}${number}`);
      }),
    );
  });
});
