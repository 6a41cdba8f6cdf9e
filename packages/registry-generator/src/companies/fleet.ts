import { pickWeighted, type Random } from "../random.ts";
import type { Plot } from "../shares.ts";

/** Vehicles, drivers and cargo. Numbers are text, as in the registry. */
export interface Fleet {
  /** "" when the company gave none. */
  powerUnits: string;
  drivers: string;
  generalFreight: boolean;
}

// Rows by number of power units in the census of 2026-04-29; 11 means more than ten.
const POWER_UNITS = [
  593873, 2445416, 581665, 244262, 139879, 89820, 57801, 37282, 30794, 21244, 23976, 163146,
].map((weight, units) => ({ weight, units }));
const POWER_UNITS_TOTAL = POWER_UNITS.reduce((sum, { weight }) => sum + weight, 0);

/** Draws a fleet. Companies that never move freight themselves mostly have none. */
export function fleetOf(random: Random, plot: Plot, junkChance: number): Fleet {
  const moves = plot !== "broker" && plot !== "forwarder";
  const generalFreight = random.chance(plot === "none" ? 0.15 : moves ? 0.3 : 0.1);
  const drawn = pickWeighted(random, POWER_UNITS, POWER_UNITS_TOTAL).units;
  const tail = Math.min(6000, Math.floor(11 * random.next() ** -0.9));
  const oddDraw = random.next();
  if (oddDraw < junkChance / 2) return { powerUnits: "99999", drivers: "99999", generalFreight };
  if (oddDraw < junkChance) return { powerUnits: "", drivers: "", generalFreight };
  const idle = !moves && random.chance(0.85);
  const working = moves && plot !== "none" && plot !== "never" && plot !== "lapsed";
  const units = idle ? 0 : drawn === 11 ? tail : working ? Math.max(1, drawn) : drawn;
  const drivers = units === 0 ? 0 : Math.max(1, units + random.between(-1, 1));
  return { powerUnits: String(units), drivers: String(drivers), generalFreight };
}

// Upper bounds of the census's fleet size bands A to Y; Z is above them.
const BAND_ENDS = [
  1, 3, 6, 8, 11, 14, 17, 19, 23, 28, 32, 38, 44, 55, 75, 100, 200, 300, 400, 550, 999, 2000, 3000, 4000,
  5000,
];

/** The census's one-letter band of a number of power units. */
export function fleetSize(powerUnits: string): string {
  const units = Number(powerUnits);
  if (powerUnits === "" || units === 0) return "0";
  const band = BAND_ENDS.findIndex((end) => units <= end);
  return band < 0 ? "Z" : String.fromCharCode(65 + band);
}
