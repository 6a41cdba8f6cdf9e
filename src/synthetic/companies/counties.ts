import { readFileSync } from "node:fs";

const FILE = new URL("../../registry/places/county_time_zones.csv", import.meta.url);

/** The county codes (three digits) of each state code, from the registry's own county list. */
export function readCounties(): ReadonlyMap<string, readonly string[]> {
  const counties = new Map<string, string[]>();
  const lines = readFileSync(FILE, "utf8").split("\n").slice(1);
  for (const line of lines) {
    const [state, county] = line.split(",", 2);
    if (!state || !county) continue;
    const known = counties.get(state);
    if (known) known.push(county);
    else counties.set(state, [county]);
  }
  return counties;
}
