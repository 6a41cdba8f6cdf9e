import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readEmail, readPhone } from "../../../src/registry/contacts/contact.ts";
import { readDocket, readUsdot } from "../../../src/registry/docket.ts";
import { docketOf, emailOf, phoneOf, usdotOf } from "../../../src/suppression/asked.ts";
import { anyCharacter } from "../../support/any-character.ts";

const all = (texts: readonly string[], read: (text: string) => string | null) =>
  Object.fromEntries(texts.map((text) => [text, read(text)]));
const each = <T>(texts: readonly string[], value: T) =>
  Object.fromEntries(texts.map((text) => [text, value]));

describe("a USDOT number", () => {
  const RIGHT = [
    "1234567",
    "01234567",
    " 1234567 ",
    "USDOT 1234567",
    "usdot1234567",
    "US DOT#: 0001234567",
    "#1234567",
    "U.S. DOT No. 1234567",
    "DOT-1234567",
    "dot number: 1234567",
    "US-DOT # 1234567",
    "1,234,567",
    "1234567.",
    "１２３４５６７",
    "ＵＳＤＯＴ　１２３４５６７",
    "USDOT\u00a01234567",
    "\u202d1234567\u202c",
    "12\u200b34567",
  ];
  const WRONG = [
    "12-34",
    "123/4567",
    "1234567 7654321",
    "1 234 567",
    "12,34",
    "123456789",
    "0",
    "000",
    "DOT",
    "O123",
    "1e5",
    "MC123456",
    "one",
    "-",
    "1234567.5",
    "1234567\n7654321",
    "٣٤٥",
    "12345678901234567890",
    "USDOT 12 or 13",
  ];

  it("is read in usual spellings, and never guessed", () => {
    expect(all(RIGHT, usdotOf)).toEqual(each(RIGHT, "1234567"));
    expect(all(WRONG, usdotOf)).toEqual(each(WRONG, null));
  });

  it("is the number that the importer reads from the same text", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 99_999_999 }), fc.nat(4), (number, zeros) => {
        const written = "0".repeat(zeros) + number;
        expect(usdotOf(`US DOT #${written}`)).toBe(String(readUsdot(written)));
      }),
    );
  });
});

describe("an MC number", () => {
  const RIGHT = [
    "MC-123456",
    "mc 0123456",
    "MC#123456",
    "MC# 123456",
    "123456",
    "M.C. 123456",
    "MC No. 123456",
    "mc123456",
    "ICC MC 123456",
    "ＭＣ－１２３４５６",
    "MC\u2011123456",
    "MC–123456",
    "Docket: MC-123456",
    "MC 123,456",
  ];
  const WRONG = [
    "MC",
    "MC 0",
    "FF",
    "MC123456/FF12",
    "MC-123456 MC-654321",
    "MC-1234567890",
    "USDOT 123",
    "P-123",
    "XX 12",
    "MC-12-34",
    "12 34",
  ];

  it("is read in usual spellings, and never guessed", () => {
    expect(all(RIGHT, docketOf)).toEqual(each(RIGHT, "MC123456"));
    expect(all(WRONG, docketOf)).toEqual(each(WRONG, null));
    expect(all(["FF-1234", "ff 001234", "mx1234"], docketOf)).toEqual({
      "FF-1234": "FF1234",
      "ff 001234": "FF1234",
      mx1234: "MX1234",
    });
  });

  it("is the docket that the importer reads from the same text", () => {
    const prefix = fc.constantFrom("MC", "mc", "FF", "MX");
    const sign = fc.constantFrom("", "-", " ", "0", "-00");
    fc.assert(
      fc.property(prefix, sign, fc.integer({ min: 1, max: 99_999_999 }), (letters, between, number) => {
        const written = `${letters}${between}${number}`;
        expect(docketOf(written)).toBe(readDocket(written));
      }),
    );
  });
});

describe("a phone number", () => {
  const RIGHT = [
    "5125550100",
    "512-555-0100",
    "(512) 555-0100",
    "512.555.0100",
    "512 555 0100",
    "1-512-555-0100",
    "+1 (512) 555 0100",
    "+15125550100",
    "001 512 555 0100",
    "011 1 512 555 0100",
    "512/555/0100",
    "(512)555-0100",
    "512-555-0100 ext. 12",
    "512.555.0100x12",
    "512 555 0100 #12",
    "+1 512 555 0100 extension 7",
    "tel:+15125550100",
    "tel:+1-512-555-0100;ext=5",
    "５１２－５５５－０１００",
    "512\u00a0555\u00a00100",
    "512–555–0100",
    "Phone: 512 555 0100",
    "\u202a+1 512 555 0100\u202c",
    "512 555 0100 (cell)",
    "5125550100,12",
  ];
  const WRONG = [
    "555-0100",
    "512-555-010",
    "512-555-01000",
    "+52 867 711 2345",
    "+44 20 7946 0958",
    "1 800 FLOWERS",
    "call me",
    "512-555-0100 or 512-555-0101",
    "512-555-0100 / 512-555-0101",
    "5125550100 5125550101",
    "2222222222",
    "112 555 0100",
    "512 155 0100",
    "1112223333",
    "512-555-0100 and 3 more",
    "0",
    "-",
    "٥١٢٥٥٥٠١٠",
  ];

  it("is read in usual spellings, and never guessed", () => {
    expect(all(RIGHT, phoneOf)).toEqual(each(RIGHT, "5125550100"));
    expect(all(WRONG, phoneOf)).toEqual(each(WRONG, null));
  });

  it("is the number that the importer reads from the same text", () => {
    const digits = fc.tuple(
      fc.integer({ min: 200, max: 999 }),
      fc.integer({ min: 200, max: 999 }),
      fc.nat(9999),
    );
    fc.assert(
      fc.property(digits, fc.constantFrom("", "1", "+1 "), ([area, exchange, line], country) => {
        const written = `${country}(${area}) ${exchange}-${String(line).padStart(4, "0")}`;
        expect([written, phoneOf(written)]).toEqual([written, readPhone(written) ?? null]);
      }),
    );
  });
});

describe("an e-mail address", () => {
  const RIGHT = [
    "joe.doe+x@example.com",
    "Joe.Doe+X@Example.COM",
    "  joe.doe+x@example.com\t",
    "mailto:joe.doe+x@example.com",
    "MAILTO:joe.doe+x@example.com?subject=a@b",
    "<joe.doe+x@example.com>",
    "Joe Doe <joe.doe+x@example.com>",
    "joe.doe+x＠example.com",
    "joe.doe+x@exam\u200bple.com",
  ];
  const WRONG = [
    "joe",
    "joe@example",
    "joe@@example.com",
    "@example.com",
    "joe@example.com, ann@example.com",
    "a b@example.com",
    "joe@example.com ann@example.com",
    "joe@example..com",
    "joe@-example.com",
    `${"x".repeat(65)}@example.com`,
    "joe@example.com\nann@example.com",
    "joe at example.com",
    "é@example.com",
    "joe@example.com.",
  ];

  it("is read in usual spellings, and never guessed", () => {
    expect(all(RIGHT, emailOf)).toEqual(each(RIGHT, "joe.doe+x@example.com"));
    expect(all(WRONG, emailOf)).toEqual(each(WRONG, null));
  });

  it("is the address that the importer reads from the same text", () => {
    fc.assert(
      fc.property(fc.emailAddress(), (address) => {
        expect([address, emailOf(address)]).toEqual([address, readEmail(address) ?? null]);
      }),
    );
  });
});

it("no text makes a function throw", () => {
  fc.assert(
    fc.property(fc.string({ unit: anyCharacter }), (text) => {
      for (const read of [usdotOf, docketOf, phoneOf, emailOf]) expect(read(text)).not.toBe(undefined);
    }),
  );
});
