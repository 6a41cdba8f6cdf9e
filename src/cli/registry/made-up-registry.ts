import {
  type GeneratedDay,
  generateRegistry as generate,
  type RegistryOptions,
} from "@trucking-data-feed/registry-generator";
import { CENSUS_COLUMNS } from "../../importer/official/census.ts";
import { LEGACY_FROZEN_ON } from "../../registry/datasets.ts";
import { readCounties } from "../../registry/places/counties.ts";

/** Writes a made-up registry with the columns, the counties and the cut-over day of the real one. */
export function generateRegistry(options: RegistryOptions): Promise<GeneratedDay[]> {
  const counties = readCounties().map(({ state, phy_cnty: code }) => ({ state, code }));
  return generate({ censusColumns: CENSUS_COLUMNS, legacyFrozenOn: LEGACY_FROZEN_ON, counties }, options);
}
