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

let lines: string | undefined;

/**
 * Creates the temporary tables county_time_zone (state, county_fips, time_zone) and state_time_zone (state, time_zone), once
 * in a transaction. The second one is for companies whose county is not known.
 */
export async function openTimeZones(client: pg.ClientBase): Promise<void> {
  lines ??= readCounties()
    .map(({ state, phy_cnty, time_zone }) => `${state} ${phy_cnty} ${time_zone}`)
    .join("\n");
  await sql.openCountyTimeZones(client, { lines });
  await sql.openStateTimeZones(client);
}
