import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { instantMs } from "../../../src/platform/rfc3339.ts";

describe("an RFC 3339 time", () => {
  it("is the instant that it names, with any offset", () => {
    const offsets = fc.integer({ min: -1439, max: 1439 });
    fc.assert(
      fc.property(
        fc.date({ min: new Date("0001-01-03"), max: new Date("9999-12-29"), noInvalidDate: true }),
        offsets,
        (instant, offset) => {
          const local = new Date(instant.getTime() + offset * 60_000).toISOString().slice(0, -1);
          const part = (value: number) => String(Math.floor(Math.abs(value))).padStart(2, "0");
          const zone = `${offset < 0 ? "-" : "+"}${part(offset / 60)}:${part(Math.abs(offset) % 60)}`;
          expect(instantMs(local + zone)).toBe(instant.getTime());
        },
      ),
    );
  });

  it.each([
    ["2026-11-20T08:00:00Z", "2026-11-20T08:00:00.000Z"],
    ["2026-11-20t08:00:00z", "2026-11-20T08:00:00.000Z"],
    ["2026-11-20T08:00:00.5Z", "2026-11-20T08:00:00.500Z"],
    ["2026-11-20T08:00:00.035Z", "2026-11-20T08:00:00.035Z"],
    ["2026-11-20T08:00:00.0350001Z", "2026-11-20T08:00:00.036Z"],
    ["2016-12-31T23:59:60Z", "2017-01-01T00:00:00.000Z"],
    ["2024-02-29T00:00:00-00:00", "2024-02-29T00:00:00.000Z"],
  ])("reads %s as %s", (text, iso) => {
    expect(new Date(instantMs(text) ?? Number.NaN).toISOString()).toBe(iso);
  });

  it.each([
    "",
    "now",
    "2026-11-20",
    "2026-11-20T08:00:00",
    "2026-11-20T08:00Z",
    "2026-02-29T00:00:00Z",
    "2026-11-31T00:00:00Z",
    "2026-13-01T00:00:00Z",
    "2026-11-20T24:00:00Z",
    "2026-11-20T08:60:00Z",
    "2026-11-20T08:00:61Z",
    "2026-11-20T08:00:00+24:00",
    "2026-11-20T08:00:00+01:60",
    "2026-11-20T08:00:00 01:00",
    "+002026-11-20T08:00:00Z",
    "2026-11-20T08:00:00.Z",
    " 2026-11-20T08:00:00Z",
  ])("%j is not a time", (text) => {
    expect(instantMs(text)).toBe(null);
  });

  it("any text is read or refused, without an error", () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect([null, "number"]).toContain(instantMs(text) === null ? null : typeof instantMs(text));
      }),
    );
  });
});
