import { readFileSync } from "node:fs";
import { parse } from "csv-parse/sync";
import type pg from "pg";

interface County {
  state: string;
  phy_cnty: string;
  time_zone: string;
}

/**
 * Creates the temporary tables county_time_zone (state, county_fips, time_zone) and state_time_zone (state, time_zone).
 * A state's zone is that of most of its counties, for companies whose county is unknown. The county list lacks three
 * Pacific territories, which have one zone each.
 */
export async function openTimeZones(client: pg.ClientBase): Promise<void> {
  const file = readFileSync(new URL("county_time_zones.csv", import.meta.url), "utf8");
  const counties: County[] = parse(file, { columns: true });
  await client.query(
    `CREATE TEMP TABLE county_time_zone (state text, county_fips text, time_zone text, PRIMARY KEY (state, county_fips))
     ON COMMIT DROP`,
  );
  await client.query(
    `INSERT INTO county_time_zone (state, county_fips, time_zone)
     SELECT * FROM unnest($1::text[], $2::text[], $3::text[])`,
    [
      counties.map((county) => county.state),
      counties.map((county) => county.phy_cnty),
      counties.map((county) => county.time_zone),
    ],
  );
  await client.query(
    `CREATE TEMP TABLE state_time_zone ON COMMIT DROP AS
     SELECT state, mode() WITHIN GROUP (ORDER BY time_zone) AS time_zone FROM county_time_zone GROUP BY state
     UNION ALL VALUES ('GU', 'Pacific/Guam'), ('AS', 'Pacific/Pago_Pago'), ('MP', 'Pacific/Saipan')`,
  );
  await client.query("ANALYZE county_time_zone");
}
