import { readFileSync } from "node:fs";
import { parse } from "csv-parse/sync";
import type pg from "pg";
import * as sql from "./statements.ts";

interface County {
  state: string;
  phy_cnty: string;
  time_zone: string;
}

/**
 * Creates the temporary tables county_time_zone (state, county_fips, time_zone) and state_time_zone (state, time_zone).
 * The second one is for companies whose county is not known.
 */
export async function openTimeZones(client: pg.ClientBase): Promise<void> {
  const file = readFileSync(new URL("county_time_zones.csv", import.meta.url), "utf8");
  const counties: County[] = parse(file, { columns: true });
  await sql.openCountyTimeZones.run(client);
  await sql.insertCountyTimeZones.run(client, {
    states: counties.map((county) => county.state),
    counties: counties.map((county) => county.phy_cnty),
    timeZones: counties.map((county) => county.time_zone),
  });
  await sql.openStateTimeZones.run(client);
}
