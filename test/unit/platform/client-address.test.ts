import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { clientAddressOf } from "../../../src/platform/http/client.ts";

/** The address of a request with this header, from a neighbour at 10.0.0.1. */
const addressOf = (forwarded: string | undefined, hops: number): string => {
  const headers = forwarded === undefined ? {} : { "x-forwarded-for": forwarded };
  return clientAddressOf({ headers, socket: { remoteAddress: "10.0.0.1" } } as never, hops);
};

describe("the address of a client", () => {
  it("is the connection's address while no proxy is trusted", () => {
    for (const header of [undefined, "", "203.0.113.9", "203.0.113.9, 198.51.100.7"])
      expect(addressOf(header, 0)).toBe("10.0.0.1");
  });

  it("is the address that the outermost trusted proxy saw", () => {
    expect(addressOf("198.51.100.7", 1)).toBe("198.51.100.7");
    expect(addressOf("203.0.113.9, 198.51.100.7", 1)).toBe("198.51.100.7");
    expect(addressOf("203.0.113.9, 198.51.100.7", 2)).toBe("203.0.113.9");
    expect(addressOf("198.51.100.7", 2)).toBe("198.51.100.7");
    expect(addressOf(undefined, 1)).toBe("10.0.0.1");
  });

  it("does not depend on entries further left, which the client wrote", () => {
    fc.assert(
      fc.property(fc.string(), fc.integer({ min: 1, max: 3 }), (forged, hops) => {
        const believed = ["192.0.2.1", "192.0.2.2", "192.0.2.3"].slice(0, hops).join(", ");
        expect(addressOf(`${forged}, ${believed}`, hops)).toBe("192.0.2.1");
      }),
    );
  });

  it("is read with a port, and in brackets", () => {
    expect(addressOf("198.51.100.7:51034", 1)).toBe("198.51.100.7");
    expect(addressOf("[2001:db8::7]:51034", 1)).toBe("2001:db8::7");
    expect(addressOf("[2001:db8::7]", 1)).toBe("2001:db8::7");
    expect(addressOf("2001:db8::7", 1)).toBe("2001:db8::7");
  });

  it("is the next trusted entry to the right when an entry is not an address", () => {
    for (const entry of ["unknown", "_hidden", "", "0x7f.1", "999.1.1.1", "1.2.3", "a".repeat(5000)])
      expect([entry, addressOf(`203.0.113.9, ${entry}`, 1)]).toEqual([entry, "10.0.0.1"]);
    expect(addressOf("nonsense, 192.0.2.2", 2)).toBe("192.0.2.2");
  });
});
