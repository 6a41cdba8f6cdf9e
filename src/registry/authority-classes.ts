/** The classes of operating authority. */
const AUTHORITY_CLASSES = [
  "carrier_property",
  "carrier_hhg",
  "passenger",
  "broker",
  "freight_forwarder",
] as const;
export type AuthorityClass = (typeof AUTHORITY_CLASSES)[number];

/** Carriers of freight. */
export const FREIGHT_CARRIERS: readonly AuthorityClass[] = ["carrier_property", "carrier_hhg"];

/** Companies that arrange transport and carry nothing themselves. */
export const INTERMEDIARIES: readonly AuthorityClass[] = ["broker", "freight_forwarder"];

/** The classes in feeds and events: all but passenger carriers. */
export const FREIGHT_CLASSES: readonly AuthorityClass[] = [...FREIGHT_CARRIERS, ...INTERMEDIARIES];

/** The classes that a bare COMMON or CONTRACT of a legacy history row may mean. It is stored as `carrier`. */
export const LEGACY_CARRIER_CLASSES: readonly AuthorityClass[] = [...FREIGHT_CARRIERS, "passenger"];

/** Each class in plain words. */
export const CLASS_WORDS: Readonly<Record<AuthorityClass, string>> = {
  carrier_property: "carrier of property",
  carrier_hhg: "carrier of household goods",
  passenger: "passenger carrier",
  broker: "broker",
  freight_forwarder: "freight forwarder",
};

/** The name of a class in plain words. */
export const classInWords = (authorityClass: AuthorityClass): string => CLASS_WORDS[authorityClass];
