import { readFileSync } from "node:fs";
import { parse } from "csv-parse/sync";
import type pg from "pg";
import * as sql from "../../generated/sql/registry/places.ts";

/** A county of the registry's own list: its state, its three digits there, and its time zone. */
export interface County {
  state: string;
  phy_cnty: string;
  time_zone: string;
}

let counties: readonly County[] | undefined;

/** All counties. Their file is read once: each page about a carrier needs them, and nothing else runs while it is parsed. */
export function readCounties(): readonly County[] {
  counties ??= parse<County>(readFileSync(new URL("county_time_zones.csv", import.meta.url), "utf8"), {
    columns: true,
  });
  return counties;
}

/**
 * Creates the temporary tables county_time_zone (state, county_fips, time_zone) and state_time_zone (state, time_zone).
 * The second one is for companies whose county is not known.
 */
export async function openTimeZones(client: pg.ClientBase): Promise<void> {
  const counties = readCounties();
  await sql.openCountyTimeZones(client);
  await sql.insertCountyTimeZones(client, {
    states: counties.map((county) => county.state),
    counties: counties.map((county) => county.phy_cnty),
    timeZones: counties.map((county) => county.time_zone),
  });
  await sql.openStateTimeZones(client);
}
