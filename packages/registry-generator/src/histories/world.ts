import { PLACES, type Place } from "../companies/states.ts";
import type { County, RealRegistry } from "../real-registry.ts";
import { type Shares, sharesOf } from "../shares.ts";
import { dayNumber } from "./dates.ts";

/** Data that all carriers of one registry share. Days are counted from 1970-01-01. */
export interface World {
  seed: number;
  carriers: number;
  firstDay: number;
  /** The last day in the legacy files: the cut-over, or the first day when that is earlier. */
  legacyEnd: number;
  /** From this day on the Motus files have all that the legacy files have; never unless asked for. */
  historyMovesOn: number;
  /** Whether companies have something in common on purpose (companies/relations.ts). */
  hasRelations: boolean;
  shares: Shares;
  places: readonly Place[];
  placesWeight: number;
  counties: ReadonlyMap<string, readonly County[]>;
}

interface WorldOptions {
  seed: number;
  carriers: number;
  firstDay: string;
  dailyEdits: number | undefined;
  /** Index of the day on which history moves into Motus. */
  historyMovesOn?: number | undefined;
  hasRelations?: boolean | undefined;
}

/** Creates the world of a registry whose day 0 is `firstDay` (YYYY-MM-DD), with the given share of edits a day. */
export function createWorld(
  real: RealRegistry,
  {
    seed,
    carriers,
    firstDay,
    dailyEdits,
    historyMovesOn = Number.POSITIVE_INFINITY,
    hasRelations = false,
  }: WorldOptions,
): World {
  const sumOfWeights = (places: readonly Place[]) => places.reduce((sum, { weight }) => sum + weight, 0);
  // A small registry still has a carrier or two in the smallest territories.
  const least = (sumOfWeights(PLACES) * 4) / carriers;
  const places = PLACES.map((place) =>
    ["PR", "VI", "GU", "AS", "MP"].includes(place.code)
      ? { ...place, weight: Math.max(place.weight, Math.min(least, 20)) }
      : place,
  );
  return {
    seed,
    carriers,
    firstDay: dayNumber(firstDay),
    legacyEnd: Math.min(dayNumber(firstDay), dayNumber(real.legacyFrozenOn)),
    historyMovesOn: dayNumber(firstDay) + historyMovesOn,
    hasRelations,
    shares: sharesOf(carriers, dailyEdits),
    places,
    placesWeight: sumOfWeights(places),
    counties: Map.groupBy(real.counties, ({ state }) => state),
  };
}

/** Whether the Motus files of the day have the authorities and policies of the legacy files too. */
export const hasHistoryMoved = (world: World, day: number): boolean => day >= world.historyMovesOn;

/** Census rows on day `day` if none had been removed: the base and every company that registered since. */
export const registeredBy = (world: World, day: number): number =>
  world.carriers + world.shares.registrationsPerDay * Math.max(0, day - world.firstDay);
