import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readDocket, readUsdot } from "../../../src/registry/docket.ts";

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
