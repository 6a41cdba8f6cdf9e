import { expect, it } from "vitest";
import { giveBack, lendBytes } from "../../../src/platform/lent-bytes.ts";

const KB = 1024;

it("bytes are lent to one at a time, and again when they were given back", () => {
  const first = lendBytes(700 * KB);
  const second = lendBytes(700 * KB);
  expect(second.buffer).not.toBe(first.buffer);
  giveBack(first);
  const again = lendBytes(700 * KB - 5);
  expect(again.buffer).toBe(first.buffer);
  expect(again).toHaveLength(700 * KB - 5);
  expect(lendBytes(700 * KB).buffer).not.toBe(first.buffer);
});

it("bytes that are given back twice, or were never lent, are not lent to two", () => {
  const twice = lendBytes(710 * KB);
  giveBack(twice);
  giveBack(twice);
  giveBack(Buffer.allocUnsafeSlow(720 * KB));
  const lent = [lendBytes(710 * KB), lendBytes(710 * KB), lendBytes(720 * KB)];
  expect(new Set(lent.map(({ buffer }) => buffer))).toHaveLength(3);
  expect(lent[0]?.buffer).toBe(twice.buffer);
});

it("only some megabytes wait to be lent, and small ones none", () => {
  const many = Array.from({ length: 40 }, () => lendBytes(730 * KB));
  for (const bytes of many) giveBack(bytes);
  const known = new Set(many.map(({ buffer }) => buffer));
  const again = Array.from({ length: 40 }, () => lendBytes(730 * KB));
  const used = again.filter(({ buffer }) => known.has(buffer));
  expect(used.length).toBeGreaterThan(5);
  expect(used.length * 730 * KB).toBeLessThanOrEqual(8 * KB * KB);
  const small = lendBytes(100);
  giveBack(small);
  expect(lendBytes(100).buffer).not.toBe(small.buffer);
});

it("bytes of another size have their turn when enough of one wait", () => {
  const many = Array.from({ length: 40 }, () => lendBytes(740 * KB));
  for (const bytes of many) giveBack(bytes);
  const other = lendBytes(760 * KB);
  giveBack(other);
  expect(lendBytes(760 * KB).buffer).toBe(other.buffer);
});
