import type { World } from "../histories/world.ts";
import type { Random } from "../random.ts";
import type { Place } from "./states.ts";

/** A county of the state; sometimes `000` for unknown, and "" outside the United States. */
export function countyOf(all: World["counties"], place: Place, random: Random): string {
  if (place.country !== "US") return "";
  const counties = all.get(place.code);
  if (counties === undefined) return "010";
  return random.chance(0.01) ? "000" : random.pick(counties).code;
}

/** A postal code; in the United States sometimes with four more digits. */
export function zipOf(place: Place, random: Random): string {
  const number = String(random.between(...place.zip));
  if (place.country === "CA") {
    const letter = () => String.fromCharCode(65 + random.between(0, 7));
    return `${place.postalLetter}${number}${letter()} ${random.between(1, 9)}${letter()}${random.between(1, 9)}`;
  }
  const zip = number.padStart(5, "0");
  return random.chance(0.2) ? `${zip}-${String(random.between(1, 9999)).padStart(4, "0")}` : zip;
}
