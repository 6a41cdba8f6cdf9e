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
 * Creates the temporary table zone_of_place (state, county_fips, time_zone), once in a transaction. Its rows with an empty
 * county are for companies whose county is not known.
 */
export async function openTimeZones(client: pg.ClientBase): Promise<void> {
  lines ??= zonesOfPlaces(readCounties())
    .map((place) => place.join(" "))
    .join("\n");
  await sql.openTimeZones(client, { lines });
}

/** The zone of each state that the county list does not have. */
const WITHOUT_COUNTIES = [
  ["GU", "", "Pacific/Guam"],
  ["AS", "", "Pacific/Pago_Pago"],
  ["MP", "", "Pacific/Saipan"],
];

/** Each county, and with an empty county the zone of most counties of each state. */
function zonesOfPlaces(all: readonly County[]): string[][] {
  const ofCounties = all.map(({ state, phy_cnty, time_zone }) => [state, phy_cnty, time_zone]);
  const ofStates = [...Map.groupBy(all, ({ state }) => state)].map(([state, own]) => {
    const byZone = [...Map.groupBy(own, ({ time_zone }) => time_zone)];
    const [[zone] = [""]] = byZone.toSorted(([, one], [, other]) => other.length - one.length);
    return [state, "", zone];
  });
  return [...ofCounties, ...ofStates, ...WITHOUT_COUNTIES];
}
