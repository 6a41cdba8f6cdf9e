import type { Company } from "../companies/company.ts";
import type { Authority } from "../histories/authorities.ts";
import { BOND_DOLLARS } from "../histories/covers.ts";
import type { Ledger } from "../histories/policies.ts";
import { isInForce } from "../histories/policy.ts";
import type { World } from "../histories/world.ts";
import { createRandom, type Random } from "../random.ts";
import { motusType } from "./motus-terms.ts";

/** The 28 columns of the Motus Carrier file. */
export const MOTUS_CARRIER_COLUMNS: readonly string[] = (
  "DOCKET_NUMBER USDOT_NUMBER RFC_NUMBER OP_AUTH_TYPE OP_AUTH_STATUS MIN_COV_AMOUNT CARGO_REQ BOND_REQ BIPD_FILE " +
  "CARGO_FILE BOND_FILE BUS_UNDELIVERABLE_MAIL MAIL_UNDELIVERABLE_MAIL DBA_NAME LEGAL_NAME BUS_STREET_PO BUS_COLONIA " +
  "BUS_CITY BUS_STATE_CODE BUS_CTRY_CODE BUS_ZIP_CODE BUS_TELNO MAIL_STREET_PO MAIL_COLONIA MAIL_CITY " +
  "MAIL_STATE_CODE MAIL_CTRY_CODE MAIL_ZIP_CODE"
).split(" ");

/** One authority's row in the Motus Carrier file. */
export function motusCarrierRow(
  world: World,
  company: Company,
  authority: Authority,
  ids: string[],
  status: string,
  { needs, policies }: Ledger,
  day: number,
): string[] {
  const random = createRandom(world.seed, company.life.index, 13);
  const { place, street, city, zip, contacts } = company;
  const covers = policies.filter((policy) => isInForce(policy, day)).map(({ cover }) => cover);
  const liability = covers.filter(({ type }) => type === "1");
  // An excess policy is worth nothing without the primary one.
  const isPrimary = liability.some(({ underlying }) => underlying === 0);
  const onFile = isPrimary
    ? Math.max(...liability.map(({ coverage, underlying }) => coverage + underlying))
    : 0;
  const hasCargo = covers.some(({ type }) => type === "2");
  const hasBond = covers.some(({ type, coverage }) => type > "2" && coverage >= BOND_DOLLARS);
  const plain = random.chance(0.05);
  const address = [street, place.country === "MX" ? "CENTRO" : "", city, place.code, place.country, zip];
  return [
    ...ids,
    place.country === "MX" ? `XX${String(company.life.index).padStart(6, "0")}A01` : "",
    motusType(company, authority),
    status,
    amount(needs.minimum, plain),
    yes(needs.needsCargo),
    yes(needs.needsBond),
    amount(onFile, plain),
    yes(hasCargo),
    yes(hasBond),
    random.chance(0.98) ? "Y" : "N",
    random.chance(0.98) ? "Y" : "N",
    company.dbaName,
    company.legalName,
    ...address,
    phoneText(contacts.authorityPhone, random),
    ...address,
  ];
}

const yes = (condition: boolean): string => (condition ? "Y" : "N");

/** Dollars as Motus writes them: eighteen decimals, zero in scientific notation, sometimes a plain number. */
function amount(dollars: number, plain: boolean): string {
  if (plain) return String(dollars);
  return dollars === 0 ? "0E-18" : `${dollars}.000000000000000000`;
}

function phoneText(phone: string, random: Random): string {
  if (phone.length !== 10 || random.chance(0.6)) return phone;
  return `+1 (${phone.slice(0, 3)}) ${phone.slice(3, 6)}-${phone.slice(6)}`;
}
