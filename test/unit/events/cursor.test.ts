import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cursorAt, positionOf } from "../../../src/events/cursor.ts";

const owner = { instanceId: "0b9d7a52-7a1c-4a42-8a7b-0f4f5c1f1d11", accountId: 17 };
const positions = fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER });

describe("a cursor", () => {
  it("returns its position, fits the contract, and is the same in every process", () => {
    fc.assert(
      fc.property(positions, (position) => {
        const cursor = cursorAt(owner, position);
        expect(cursor).toMatch(/^[A-Za-z0-9_-]{1,200}$/);
        expect(positionOf(owner, cursor)).toBe(position);
      }),
    );
    expect(cursorAt(owner, 48_151)).toBe("ZXYxLjQ4MTUxLjIzOEJoZHpLWWM");
  });

  it("is invalid for another account and another installation", () => {
    fc.assert(
      fc.property(positions, (position) => {
        const cursor = cursorAt(owner, position);
        expect(positionOf({ ...owner, accountId: 18 }, cursor)).toBe(null);
        expect(positionOf({ ...owner, instanceId: "another" }, cursor)).toBe(null);
      }),
    );
  });

  it("is invalid as any other text", () => {
    const texts = fc.oneof(
      fc.string(),
      fc.string().map((text) => Buffer.from(text).toString("base64url")),
      positions.map((position) => Buffer.from(`ev1.${position}.AAAAAAAAAA`).toString("base64url")),
      positions.map((position) => `${cursorAt(owner, position)}=`),
      fc.constantFrom("ev1", "ev1..", "ev1.0x10.", "ev1.-1.", "ev1.99999999999999999999."),
    );
    fc.assert(
      fc.property(texts, (text) => {
        expect(positionOf(owner, text)).toBe(null);
      }),
    );
  });
});
