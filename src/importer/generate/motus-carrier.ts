import type { Authority } from "./authorities.ts";
import type { Company } from "./company.ts";
import { motusType } from "./motus-terms.ts";
import { createRandom, type Random } from "./random.ts";
import type { World } from "./world.ts";

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
): string[] {
  const random = createRandom(world.seed, company.life.index, 13);
  const { place, street, city, zip, contacts } = company;
  const brokers = authority.kind === "broker" || authority.kind === "forwarder";
  const required = brokers ? 0 : authority.kind === "passengers" ? 5_000_000 : 750_000;
  const isGenerous = random.chance(0.2);
  const onFile = status === "Active" ? (isGenerous && required > 0 ? required + 250_000 : required) : 0;
  const cargo = authority.kind === "household" ? "Y" : "N";
  const bond = brokers ? "Y" : "N";
  const filed = status === "Active" ? "Y" : "N";
  const plain = random.chance(0.05);
  const address = [street, place.country === "MX" ? "CENTRO" : "", city, place.code, place.country, zip];
  return [
    ...ids,
    place.country === "MX" ? `XX${String(company.life.index).padStart(6, "0")}A01` : "",
    motusType(company, authority),
    status,
    amount(required, plain),
    cargo,
    bond,
    amount(onFile, plain),
    cargo === "Y" ? filed : "N",
    bond === "Y" ? filed : "N",
    random.chance(0.98) ? "Y" : "N",
    random.chance(0.98) ? "Y" : "N",
    company.dbaName,
    company.legalName,
    ...address,
    phoneText(contacts.phone, random),
    ...address,
  ];
}

/** Dollars the way Motus prints them: eighteen decimals, zero in scientific notation, now and then a plain number. */
function amount(dollars: number, plain: boolean): string {
  if (plain) return String(dollars);
  return dollars === 0 ? "0E-18" : `${dollars}.000000000000000000`;
}

function phoneText(phone: string, random: Random): string {
  if (phone.length !== 10 || random.chance(0.6)) return phone;
  return `+1 (${phone.slice(0, 3)}) ${phone.slice(3, 6)}-${phone.slice(6)}`;
}
