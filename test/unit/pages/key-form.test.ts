import { expect, it } from "vitest";
import { NEW_KEY, termsOf } from "../../../src/pages/dashboard/pages/keys/key-form.ts";

const NAMED = { ...NEW_KEY, name: "Nightly sync" };
const now = new Date("2026-11-24T12:00:00Z");

it.each(["0x10", "1e2", "1.0", "+5", "-1", "0", "3651"])("a key can't end after %s days", (days) => {
  expect(termsOf({ ...NAMED, days }, now)).toMatchObject({ mistakes: [{ name: "days" }] });
});

it.each(["1", "30", "3650"])("a key can end after %s days", (days) => {
  expect(termsOf({ ...NAMED, days }, now)).toMatchObject({ terms: { expiresAt: expect.any(Date) } });
});

it("a key says all that is wrong with it at once, in the order of its form", () => {
  const typed = { name: "a\nb", scopes: [], days: "x", networks: "nowhere" };
  const wrong = termsOf(typed, now) as { mistakes: { name: string }[] };
  expect(wrong.mistakes.map(({ name }) => name)).toEqual(["name", "scopes", "days", "networks"]);
});
