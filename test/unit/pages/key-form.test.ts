import { expect, it } from "vitest";
import { NEW_KEY, termsOf } from "../../../src/pages/dashboard/pages/keys/key-form.ts";

const now = new Date("2026-11-24T12:00:00Z");

it.each(["0x10", "1e2", "1.0", "+5", "-1", "0", "3651"])("a key can't end after %s days", (days) => {
  expect(termsOf({ ...NEW_KEY, days }, now)).toMatchObject({ mistakes: [{ name: "days" }] });
});

it.each(["1", "30", "3650"])("a key can end after %s days", (days) => {
  expect(termsOf({ ...NEW_KEY, days }, now)).toMatchObject({ terms: { expiresAt: expect.any(Date) } });
});
