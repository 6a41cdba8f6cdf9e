/** What an operating authority lets its holder do. */
export type AuthorityClass =
  | "carrier_property"
  | "carrier_hhg"
  | "passenger"
  | "broker"
  | "freight_forwarder";

/**
 * The class of a Motus authority by its wording (`Motor Carrier of Household Goods`), short forms of history rows
 * (`Broker`) and enterprise, private and Mexico-domiciled carriers included; `unknown` for a wording not met before.
 */
export function motusAuthorityClass(opAuthType: string): AuthorityClass | "unknown" {
  const wording = opAuthType.toUpperCase();
  if (wording.startsWith("BROKER")) return "broker";
  if (wording.startsWith("FREIGHT FORWARDER")) return "freight_forwarder";
  if (!wording.includes("MOTOR CARRIER")) return "unknown";
  if (wording.includes("PASSENGER")) return "passenger";
  // "of Property (Except Household Goods)" names them too.
  if (wording.includes("OF HOUSEHOLD GOODS")) return "carrier_hhg";
  return wording.includes("PROPERTY") ? "carrier_property" : "unknown";
}

/**
 * The class a legacy history row speaks of: by its docket for freight forwarders, else by the wording of its decade.
 * `carrier` stands for every carrier class of the docket, where the wording (bare COMMON or CONTRACT) tells no more.
 */
export function legacyAuthorityClass(
  docket: string,
  opAuthType: string,
): AuthorityClass | "carrier" | "unknown" {
  if (docket.startsWith("FF")) return "freight_forwarder";
  const wording = opAuthType.toUpperCase();
  if (wording.includes("BROKER")) return "broker";
  if (wording.includes("FREIGHT FORWARDER")) return "freight_forwarder";
  if (wording.includes("PASSENGER")) return "passenger";
  if (wording.includes("HOUSEHOLD GOODS") && !wording.includes("EXCEPT HOUSEHOLD")) return "carrier_hhg";
  if (wording.includes("MOTOR PROPERTY")) return "carrier_property";
  return /\b(COMMON|CONTRACT|CARRIER)\b/.test(wording) ? "carrier" : "unknown";
}
