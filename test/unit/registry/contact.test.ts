import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readEmail, readPhone, withoutEmails } from "../../../src/registry/contacts/contact.ts";

describe("readPhone", () => {
  test.each([
    ["3605550142", "3605550142"],
    ["13605550142", "3605550142"],
    ["+1 (360) 555-0142", "3605550142"],
    ["(360) 555-0142", "3605550142"],
    ["2025555555", "2025555555"],
    ["4040000000", null],
    ["0000000000", null],
    ["9999999999", null],
    ["1112223333", null],
    ["1234567890", null],
    ["3601550142", null],
    ["360555014", null],
    ["36055501421", null],
    ["", null],
    [undefined, null],
  ])("reads %j as %j", (raw, phone) => {
    expect(readPhone(raw)).toBe(phone);
  });

  test("gives ten digits or null, and the same from its own result", () => {
    fc.assert(
      fc.property(
        fc.string({
          unit: fc.constantFrom(..."0123456789 ()-+x".split("")),
          minLength: 8,
          maxLength: 18,
          size: "max",
        }),
        (raw) => {
          const phone = readPhone(raw);
          if (phone === null) return;
          expect(phone).toMatch(/^[2-9]\d\d[2-9]\d{6}$/);
          expect(readPhone(phone)).toBe(phone);
          expect(readPhone(`+1${phone}`)).toBe(phone);
        },
      ),
      { numRuns: 5000 },
    );
  });
});

test("an e-mail address is read in lower case when the text is exactly one", () => {
  expect(readEmail(" Carrier254@Example.COM ")).toBe("carrier254@example.com");
  expect(readEmail("o'neil+dispatch@mail.example.co")).toBe("o'neil+dispatch@mail.example.co");
  for (const junk of [
    "",
    " ",
    "none",
    "a@b",
    "a@b.c1",
    "a@b.com;c@d.com",
    "a b@c.com",
    "@c.com",
    "a@@c.com",
    "a@-c.com",
  ])
    expect(readEmail(junk)).toBeNull();
});

test("e-mail addresses are removed from a reason", () => {
  expect(withoutEmails("Withdrawn by jane.doe@example.com")).toBe("Withdrawn by [e-mail removed]");
  expect(withoutEmails("Withdrawn by <j@x.org>, again")).toBe("Withdrawn by [e-mail removed] again");
  expect(withoutEmails("Reinstated - insurance coverage restored")).toBe(
    "Reinstated - insurance coverage restored",
  );
  fc.assert(
    fc.property(fc.lorem(), fc.emailAddress(), fc.lorem(), (before, email, after) => {
      expect(withoutEmails(`${before} ${email} ${after}`)).not.toContain(email);
    }),
  );
});
