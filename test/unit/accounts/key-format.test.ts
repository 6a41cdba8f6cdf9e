import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { hashKey, newKey, parseKey } from "../../../src/accounts/keys/key-format.ts";
import { anyCharacter } from "../../support/any-character.ts";

const BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

describe("the form of keys", () => {
  it("is the live prefix, 8 characters, an underscore, 30 secret characters and 6 of checksum", () => {
    const { id, key } = newKey();
    expect(key).toMatch(/^tdf_live_[0-9A-Za-z]{8}_[0-9A-Za-z]{36}$/);
    expect(parseKey(key)).toEqual({ id, secretHash: hashKey(key) });
    expect(parseKey(key)?.secretHash).toHaveLength(32);
  });

  it("never repeats a key, and uses every character", () => {
    const keys = Array.from({ length: 20_000 }, newKey);
    expect(new Set(keys.map(({ id }) => id)).size).toBe(keys.length);
    const secrets = keys.map(({ key }) => key.slice(18, 48));
    expect(new Set(secrets).size).toBe(keys.length);
    expect(new Set(secrets.join(""))).toEqual(new Set(BASE62));
  });

  it("rejects every change of a single character", () => {
    const { key } = newKey();
    const anyCharacter = [...BASE62, "_", "-", " ", "é", "\n"];
    for (let position = 0; position < key.length; position++) {
      for (const character of anyCharacter) {
        if (character === key[position]) continue;
        expect(parseKey(key.slice(0, position) + character + key.slice(position + 1))).toBeNull();
      }
    }
  });

  it("rejects any key with a character left out, added or changed", () => {
    const character = fc.string({ unit: anyCharacter, minLength: 0, maxLength: 1 });
    fc.assert(
      fc.property(fc.nat(53), fc.boolean(), character, (position, replaces, text) => {
        const { key } = newKey();
        const changed = key.slice(0, position) + text + key.slice(position + (replaces ? 1 : 0));
        fc.pre(changed !== key);
        return parseKey(changed) === null;
      }),
      { numRuns: 2000, verbose: true },
    );
  });

  it("rejects text that is not a key", () => {
    const { key } = newKey();
    for (const text of [
      "",
      "tdf_live_",
      `${key}\n`,
      ` ${key}`,
      `${key}, ${key}`,
      key.toLowerCase(),
      key.slice(9),
    ]) {
      expect(parseKey(text)).toBeNull();
    }
  });
});
