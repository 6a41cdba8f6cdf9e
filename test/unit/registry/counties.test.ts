import { expect, it } from "vitest";
import { readCounties } from "../../../src/registry/places/counties.ts";

const counties = readCounties();

it("lists each county once: a company is in one, and a second row of it would be a second record", () => {
  const names = counties.map(({ state, phy_cnty }) => `${state}${phy_cnty}`);
  expect(names.length).toBeGreaterThan(3_000);
  expect(new Set(names).size).toBe(names.length);
});

it("has no blank in a state, a county's number or a time zone: the server divides its lines there", () => {
  const forms = { state: /^[A-Z]{2}$/, phy_cnty: /^\d{3}$/, time_zone: /^[A-Za-z]+(\/[A-Za-z_]+)+$/ };
  const odd = counties.filter(
    ({ state, phy_cnty, time_zone }) =>
      !forms.state.test(state) || !forms.phy_cnty.test(phy_cnty) || !forms.time_zone.test(time_zone),
  );
  expect(odd).toEqual([]);
});

it("names time zones that programs know", () => {
  const zones = new Set(counties.map(({ time_zone }) => time_zone));
  for (const timeZone of zones) expect(() => new Intl.DateTimeFormat("en", { timeZone })).not.toThrow();
});
