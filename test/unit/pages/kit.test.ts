import { describe, expect, it } from "vitest";
import { barChart } from "../../../src/pages/kit/chart.ts";
import { withCode } from "../../../src/pages/kit/code-block.ts";
import { shownTime, withRelativeTimes } from "../../../src/pages/kit/time.ts";
import { breakableAddress, inWords } from "../../../src/pages/kit/words.ts";
import { percentOf } from "../../../src/platform/plural.ts";

describe("a chart", () => {
  const chart = (values: readonly number[]) =>
    barChart({
      title: "Rows",
      none: "No row was used.",
      nameOfBars: "Day",
      series: [{ name: "rows", tone: "good" }],
      bars: values.map((value, index) => ({ name: String(index), values: [value], isOpen: index === 1 })),
    }).text;

  it("says in a sentence that there is nothing to draw", () => {
    expect(chart([0, 0])).toContain("No row was used.");
    expect(chart([0, 0])).not.toContain("<svg");
    expect(chart([0, 1])).not.toContain("No row was used.");
  });

  it("names today in its legend by a mark of the colour of the bars", () =>
    expect(chart([1, 1])).toContain('<span class="key open good">today so far</span>'));
});

describe("words", () => {
  it("show code as code", () =>
    expect(withCode("Decide with `tdf import --accept x`, then <go>.").text).toBe(
      "Decide with <code>tdf import --accept x</code>, then &lt;go&gt;.",
    ));

  it("break an address after its slashes", () =>
    expect(breakableAddress("https://example.com/hooks/main").text).toBe(
      "https://example.com/<wbr>hooks/<wbr>main",
    ));

  it("have one name for a class of authority", () =>
    expect(["carrier_property", "out_of_service", null].map(inWords)).toEqual([
      "carrier of property",
      "out of service",
      undefined,
    ]));
});

it.each([
  ["2026-11-20T12:00:20Z", "just now"],
  ["2026-11-20T09:05:00Z", "3 hours ago"],
  ["2026-11-19T12:00:00Z", "yesterday"],
  // 36 hours away, when tomorrow is over. It was called tomorrow.
  ["2026-11-22T00:00:00Z", "in 2 days"],
  ["2026-11-27T11:59:59Z", "in 7 days"],
])("%s is %s in the page itself", (iso, ago) =>
  expect(withRelativeTimes(shownTime(iso).text, new Date("2026-11-20T12:00:30Z"))).toContain(
    `>${ago} <span class="exact">${iso.slice(0, 10)}`,
  ),
);

it.each([
  [279, 1_000, "28%"],
  [999, 1_000, "99%"],
  [1_000, 1_000, "100%"],
  [0, 0, "0%"],
])("%i of %i are %s", (part, whole, shown) => expect(percentOf(part, whole)).toBe(shown));
