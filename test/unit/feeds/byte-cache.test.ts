import { expect, it } from "vitest";
import { createByteCache } from "../../../src/feeds/versions/byte-cache.ts";

/** A cache of texts, and how many need each: those who got it, and the cache. */
function countedCache(maxBytes: number) {
  const needed = new Map<string, number>();
  const add = (value: string, more: number) => void needed.set(value, (needed.get(value) ?? 0) + more);
  const keepers = { taken: (value: string) => add(value, 1), dropped: (value: string) => add(value, -1) };
  return { needed, cache: createByteCache<string>(maxBytes, (value) => value.length, keepers) };
}

const value = (name: string) => name.repeat(500);

it("counts who needs a value: everyone who gets it, and the cache until it drops it", async () => {
  const { needed, cache } = countedCache(1_500);
  const { promise, resolve } = Promise.withResolvers<string>();
  const gets = [cache.get("a", () => promise), cache.get("a", () => promise)];
  expect(cache.find("a")).toBeUndefined();
  resolve(value("a"));
  await Promise.all(gets);
  expect(needed.get(value("a"))).toBe(3);
  await cache.get("a", () => promise);
  expect(cache.find("a")).toBe(value("a"));
  expect(needed.get(value("a"))).toBe(5);
  for (const other of ["b", "c"]) await cache.get(other, async () => value(other));
  expect(cache.find("a")).toBeUndefined();
  expect([...needed]).toEqual([
    [value("a"), 4],
    [value("b"), 2],
    [value("c"), 2],
  ]);
});

it("does not need a value that is larger than its budget", async () => {
  const { needed, cache } = countedCache(600);
  expect(await cache.get("a", async () => value("a"))).toBe(value("a"));
  expect(needed.get(value("a"))).toBe(1);
  expect(cache.find("a")).toBeUndefined();
});

it("makes a value again after it could not be made", async () => {
  const { needed, cache } = countedCache(1_500);
  await expect(cache.get("a", () => Promise.reject(new Error("no")))).rejects.toThrow("no");
  expect(await cache.get("a", async () => value("a"))).toBe(value("a"));
  expect(needed.get(value("a"))).toBe(2);
});
