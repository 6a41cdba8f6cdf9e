import type { Random } from "../random.ts";

// Only invented or everyday words; any likeness to a company, town or person is a coincidence.
const words = (text: string) => text.split(" ");
const FIRST_WORDS = words(
  "AMBER ARROW ASPEN BEACON BIRCH BLUE BOLD BRIGHT BRONZE CANYON CEDAR CLEAR COPPER CREST DESERT EAGLE EAST ECHO " +
    "ELK EMBER FALCON FERN FLINT FOREST GOLDEN GRANITE GREEN HARBOR HAVEN HAWK HERON HIGH IRON JUNIPER LAKE LANTERN " +
    "LARK LONE LUNAR MAPLE MEADOW MESA NORTH OAK OCEAN ORCHARD OTTER PACIFIC PINE PIONEER PRAIRIE QUARRY RAPID RED " +
    "RIVER ROYAL SABLE SILVER SOUTH SPRUCE STEADY STERLING STONE SUMMIT SWIFT TIMBER TRUE VALLEY VISTA WEST WILLOW",
);
const SECOND_WORDS = words(
  "BEND BRIDGE BROOK COAST CREEK CROSSING CROWN FIELD FORK GATE GROVE HILL HOLLOW HORIZON LANE LINE MILE MOUNTAIN " +
    "PATH PEAK PLAINS POINT RANGE RIDGE ROAD ROCK SHORE SKY SPRING STAR TRAIL VIEW WAY WIND WOODS",
);
const FAMILY_NAMES = words(
  "ABERLOW ADKEMA BALTOR BRANDLEY BREVIK CALDERO CARVANTE DELMORA DORNEY ELLSTROM ESCOVAR FARHOLT FENWAY GALTIERI " +
    "GREWALD HARLOWE HOLBEN IBARRON JENSKOV KAMARI KELDRICK LANGLOW LEMAROS MARCHETT MONTALVI NAVARIO NORDEEN OKAFORD " +
    "OLVERAN PADILLO PETROVAN QUINDLE RAMSTEAD RIVARDO SANDOVIK SINGHAL TALBERRY TREMAIN UPTONE VALDORO VANDERMEY " +
    "WESTERLY WOLCOTTE YARDLOW ZAMORIN",
);
const GIVEN_NAMES = words(
  "ALMA ANDRE ARTURO BEATRIZ BORIS CARLA CEDRIC DALIA DENNIS ELENA EMIL FATIMA FRANK GLORIA HARPREET HUGO INES IVAN " +
    "JOAN JULIAN KARIM LENA LUIS MARTA MILES NADIA OMAR PAULA PETER ROSA SAMUEL TARA VICTOR WANDA YUSUF",
);
const TRADES = words(
  "TRUCKING TRUCKING TRANSPORT TRANSPORT LOGISTICS FREIGHT EXPRESS CARRIERS HAULING LINES CARTAGE",
);
const BROKER_TRADES = words("LOGISTICS BROKERAGE FREIGHT SOLUTIONS FORWARDING");
const OTHER_TRADES = words(
  "FARMS CONSTRUCTION LANDSCAPING ROOFING SUPPLY EXCAVATING PLUMBING RENTALS TOWING CONCRETE",
);
const LEGAL_FORMS = words("LLC LLC LLC LLC INC INC INC CORP CO");
const CITY_ENDS = words("VILLE TON FIELD BURG FORD DALE PORT WOOD");
const STREET_ENDS = words("ST AVE RD DR LN BLVD WAY CT HWY");

/** The kind of work that a name mentions. */
export type Trade = "carrier" | "household" | "passengers" | "broker" | "other";

/** A company's legal name in the registry's capitals. */
export function companyName(random: Random, trade: Trade): string {
  const root = random.chance(0.25)
    ? random.pick(FAMILY_NAMES)
    : `${random.pick(FIRST_WORDS)} ${random.pick(SECOND_WORDS)}`;
  return `${root} ${tradeWord(random, trade)} ${random.pick(LEGAL_FORMS)}`;
}

/** The trade name under which a person or company does business. */
export const tradeName = (random: Random, trade: Trade): string =>
  `${random.pick(FIRST_WORDS)} ${tradeWord(random, trade)}`;

export const personName = (random: Random): string =>
  `${random.pick(GIVEN_NAMES)} ${random.pick(FAMILY_NAMES)}`;

export const cityName = (random: Random): string =>
  random.chance(0.5)
    ? `${random.pick(FIRST_WORDS)}${random.pick(CITY_ENDS)}`
    : `${random.pick(FIRST_WORDS)} ${random.pick(SECOND_WORDS)}`;

export function streetLine(random: Random): string {
  if (random.chance(0.08)) return `P O BOX ${random.between(1, 9999)}`;
  const street = `${random.between(1, 19999)} ${random.pick(FIRST_WORDS)} ${random.pick(SECOND_WORDS)} ${random.pick(STREET_ENDS)}`;
  return random.chance(0.1) ? `${street} STE ${random.between(1, 400)}` : street;
}

function tradeWord(random: Random, trade: Trade): string {
  if (trade === "household") return random.pick(["MOVING", "MOVERS", "MOVING AND STORAGE", "VAN LINES"]);
  if (trade === "passengers") return random.pick(["TOURS", "COACH", "CHARTER", "LIMOUSINE"]);
  if (trade === "broker") return random.pick(BROKER_TRADES);
  return random.pick(trade === "carrier" ? TRADES : OTHER_TRADES);
}
