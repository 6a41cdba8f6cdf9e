import type { Authority, Docket } from "./authorities.ts";
import { isInMotus } from "./authorities.ts";
import type { Company } from "./company.ts";
import { compactDay } from "./dates.ts";
import type { Action } from "./histories.ts";
import { createRandom, type Random } from "./random.ts";
import type { World } from "./world.ts";

/** The 28 columns of the Motus Carrier file. */
export const MOTUS_CARRIER_COLUMNS: readonly string[] = (
  "DOCKET_NUMBER USDOT_NUMBER RFC_NUMBER OP_AUTH_TYPE OP_AUTH_STATUS MIN_COV_AMOUNT CARGO_REQ BOND_REQ BIPD_FILE " +
  "CARGO_FILE BOND_FILE BUS_UNDELIVERABLE_MAIL MAIL_UNDELIVERABLE_MAIL DBA_NAME LEGAL_NAME BUS_STREET_PO BUS_COLONIA " +
  "BUS_CITY BUS_STATE_CODE BUS_CTRY_CODE BUS_ZIP_CODE BUS_TELNO MAIL_STREET_PO MAIL_COLONIA MAIL_CITY " +
  "MAIL_STATE_CODE MAIL_CTRY_CODE MAIL_ZIP_CODE"
).split(" ");

/** The 6 columns of the Motus AuthHist file. */
export const MOTUS_AUTHHIST_COLUMNS: readonly string[] = [
  "DOCKET_NUMBER",
  "USDOT_NUMBER",
  "OP_AUTH_TYPE",
  "OP_AUTH_STATUS",
  "REASON",
  "STATUS_CHANGE_DATE",
];

/** What Motus holds about a company: rows of the Carrier file and of the AuthHist file. */
export interface MotusRows {
  carrier: string[][];
  authHist: string[][];
}

const EXCEPT_HOUSEHOLD = "of Property (Except Household Goods)";
const OF_HOUSEHOLD = "of Household Goods";
const STATUS: Partial<Record<Action["act"], string>> = {
  applied: "Pending",
  granted: "Active",
  reinstated: "Active",
  proceeding_dropped: "Active",
  revoked: "Inactive",
  suspended_insurance: "Inactive",
  suspended_agent: "Inactive",
  withdrawn: "Withdrawn",
};

/** The company's rows in both Motus files on `day`, the repeats that these files are full of included. */
export function motusRows(world: World, company: Company, day: number): MotusRows {
  const rows: MotusRows = { carrier: [], authHist: [] };
  const docket = company.dockets[0];
  if (docket === undefined || !isInMotus(world, company.life, docket, day)) return rows;
  const random = createRandom(world.seed, company.life.index, 10);
  const number = motusDocket(docket, random, world.shares.oddity(0.01, 0.03));
  docket.authorities.forEach((authority, at) => {
    // Motus often holds one authority of a company and leaves the other to the legacy files.
    if (at > 0 && random.chance(0.3)) return;
    const status = statusOf(authority);
    if (status === undefined) return;
    const ids = [number, String(company.dotNumber)];
    rows.carrier.push(carrierRow(world, company, authority, ids, status));
    rows.authHist.push(...historyRows(world, company, authority, ids, status));
  });
  repeatSome(rows.carrier, createRandom(world.seed, company.life.index, 11), world.shares.oddity(0.02, 0.03));
  repeatSome(
    rows.authHist,
    createRandom(world.seed, company.life.index, 12),
    world.shares.oddity(0.02, 0.03),
  );
  return rows;
}

function statusOf({ actions }: Authority): string | undefined {
  return actions.map(({ act }) => STATUS[act]).findLast((status) => status !== undefined);
}

function motusDocket({ prefix, number }: Docket, random: Random, hyphenChance: number): string {
  if (random.chance(hyphenChance)) return `${prefix}-${number}`;
  return prefix + (random.chance(0.5) ? String(number).padStart(6, "0") : String(number));
}

function typeText(company: Company, { kind, ofHousehold }: Authority): string {
  if (kind === "broker") return `Broker ${ofHousehold ? OF_HOUSEHOLD : EXCEPT_HOUSEHOLD}`;
  if (kind === "forwarder") return `Freight Forwarder ${ofHousehold ? OF_HOUSEHOLD : EXCEPT_HOUSEHOLD}`;
  if (kind === "passengers") return "Motor Carrier of Passengers";
  const goods = kind === "household" ? OF_HOUSEHOLD : EXCEPT_HOUSEHOLD;
  if (company.place.country === "MX") return `Mexico Domiciled Motor Carrier ${goods}`;
  return company.life.index % 211 === 7 ? `Enterprise Motor Carrier ${goods}` : `Motor Carrier ${goods}`;
}

function carrierRow(
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
  const onFile = status === "Active" ? (random.chance(0.2) ? 1_000_000 : required) : 0;
  const cargo = authority.kind === "household" ? "Y" : "N";
  const bond = brokers ? "Y" : "N";
  const filed = status === "Active" ? "Y" : "N";
  const plain = random.chance(0.05);
  const address = [street, place.country === "MX" ? "CENTRO" : "", city, place.code, place.country, zip];
  return [
    ...ids,
    place.country === "MX" ? `XX${String(company.life.index).padStart(6, "0")}A01` : "",
    typeText(company, authority),
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

/** What was done after the cut-over in mixed case, and some of what was carried over in capitals. */
function historyRows(
  world: World,
  company: Company,
  authority: Authority,
  ids: string[],
  status: string,
): string[][] {
  const random = createRandom(world.seed, company.life.index, authority.kind === "broker" ? 14 : 15);
  const type = typeText(company, authority);
  const oldType =
    authority.kind === "broker" && random.chance(0.3) ? random.pick(["Broker", "Broker of Property"]) : type;
  const carriedDates = world.shares.oddity(0.001, 0.03);
  const rows: string[][] = [];
  for (const action of authority.actions) {
    const actionStatus = STATUS[action.act];
    const carriedChance = random.next();
    const strangeChance = random.next();
    const reason = reasonText(company, action, random);
    if (actionStatus === undefined) continue;
    if (action.day > world.legacyEnd) {
      rows.push([...ids, type, actionStatus, reason, compactDay(action.day)]);
    } else if (action.day > world.legacyEnd - 60 || carriedChance < 0.55) {
      const day = strangeChance < carriedDates ? strangeDay(action.day, random) : compactDay(action.day);
      rows.push([...ids, oldType, actionStatus, carriedReason(action), day]);
    }
  }
  if (rows.length === 0) rows.push([...ids, type, status, "Initial Status", compactDay(world.legacyEnd)]);
  if (random.chance(world.shares.oddity(0.003, 0.03))) {
    const future = world.firstDay + random.between(300, 700);
    rows.push([...ids, type, status, "Administrative Correction", compactDay(future)]);
  }
  if (company.life.plot === "carried" && random.chance(0.04))
    rows.push([...ids, type, status, "Reinstated - MOTUS Issue #220", compactDay(world.legacyEnd)]);
  return rows;
}

function reasonText(company: Company, { act }: Action, random: Random): string {
  switch (act) {
    case "applied":
      return "Published to FMCSA Register";
    case "granted":
      return "Granted";
    case "reinstated":
      return random.chance(0.5) ? "Reinstated" : "Reinstated - insurance coverage restored";
    case "suspended_insurance":
      return "Involuntary Suspension - insurance cancellation effective; no active insurance meeting minimum coverage on file";
    case "suspended_agent":
      return "Involuntary Suspension - BOC-3 cancellation effective";
    case "withdrawn":
      return `Withdrawn by ${company.contacts.email || `owner${company.life.index}@mailbox.example`}`;
    default:
      return "Revoked";
  }
}

const carriedReason = ({ act }: Action): string =>
  act === "withdrawn"
    ? "WITHDRAWN"
    : act === "applied"
      ? "INITIAL STATUS"
      : act === "granted" || act === "reinstated"
        ? act.toUpperCase()
        : "REVOKED";

const strangeDay = (day: number, random: Random): string =>
  random.pick(["0189", "2044", "2517"]) + compactDay(day).slice(4);

function repeatSome(rows: string[][], random: Random, chance: number): void {
  for (const row of [...rows]) if (random.chance(chance)) rows.push(row);
}
