import type { Authority, Docket } from "./authorities.ts";
import type { Company } from "./company.ts";
import { americanDay } from "./dates.ts";
import type { Action } from "./histories.ts";
import { createRandom, type Random } from "./random.ts";
import type { World } from "./world.ts";

/** The legacy Carrier text file has no header and so many fields. */
export const LEGACY_CARRIER_FIELDS = 43;

/** The 9 columns of the legacy AuthHist file. */
export const LEGACY_AUTHHIST_COLUMNS: readonly string[] = [
  "DOCKET_NUMBER",
  "DOT_NUMBER",
  "SUB_NUMBER",
  "OP_AUTH_TYPE",
  "ORIGINAL_ACTION_DESC",
  "ORIG_SERVED_DATE",
  "DISP_ACTION_DESC",
  "DISP_DECIDED_DATE",
  "DISP_SERVED_DATE",
];

/** What the legacy files hold about a company: rows of the Carrier file and of the AuthHist file. */
export interface LegacyRows {
  carrier: string[][];
  authHist: string[][];
}

type Form = Authority["forms"][number];

/** The company's rows in both legacy files, which end on `world.legacyEnd` whatever the day. */
export function legacyRows(world: World, company: Company): LegacyRows {
  const rows: LegacyRows = { carrier: [], authHist: [] };
  const random = createRandom(world.seed, company.life.index, 16);
  company.dockets.forEach((docket, at) => {
    const known = docket.authorities.map((authority) => ({
      ...authority,
      actions: authority.actions.filter(({ day }) => day <= world.legacyEnd),
    }));
    if (!known.some(({ actions }) => actions.length > 0)) return;
    const nameless = random.chance(world.shares.oddity(0.0005, 0.4));
    const dot = nameless ? "00000000" : String(company.dotNumber).padStart(8, "0");
    const ids = [`${docket.prefix}${String(docket.number).padStart(6, "0")}`, dot];
    rows.carrier.push(carrierRow(company, docket, known, ids, random));
    const history = createRandom(world.seed, company.life.index, 17 + at);
    for (const authority of known) rows.authHist.push(...historyRows(world, authority, ids, history));
  });
  return rows;
}

function carrierRow(
  company: Company,
  docket: Docket,
  known: readonly Authority[],
  ids: string[],
  random: Random,
): string[] {
  const { place, contacts } = company;
  const of = (form: Form) => known.find(({ forms }) => forms.includes(form));
  const forms: readonly Form[] = ["COMMON", "CONTRACT", "BROKER"];
  const carries = known.find(({ kind }) => kind !== "broker");
  const has = (kind: Authority["kind"]) => (known.some((authority) => authority.kind === kind) ? "Y" : "N");
  const active = known.some((authority) => stat(authority) === "A");
  const required = carries === undefined ? "00000" : carries.kind === "passengers" ? "05000" : "00750";
  const household = carries?.kind === "household" || (carries?.kind === "forwarder" && carries.ofHousehold);
  const bond = docket.prefix === "FF" || of("BROKER") !== undefined;
  const yes = (condition: boolean | undefined) => (condition ? "Y" : "N");
  const blank = random.chance(0.9) ? " " : "";
  const address = [
    company.street,
    place.country === "MX" ? "CENTRO" : "",
    company.city,
    place.code,
    place.country,
    company.zip,
  ];
  return [
    ...ids,
    place.country === "MX" ? random.pick(["1", "2", "X"]) : blank,
    "",
    ...forms.map((form) => stat(of(form))),
    ...forms.map((form) => yes(lastAct(of(form)) === "applied")),
    ...forms.map((form) => yes(lastAct(of(form)) === "proceeding_opened")),
    yes(has("property") === "Y" || has("forwarder") === "Y" || of("BROKER") !== undefined),
    has("passengers"),
    yes(household),
    "N",
    "N",
    required,
    yes(household),
    yes(bond),
    active ? required : "00000",
    yes(household && active),
    yes(bond && active),
    random.chance(0.97) ? "Y" : "N",
    company.dbaName === "" && random.chance(0.5) ? blank : company.dbaName,
    company.legalName,
    ...address,
    contacts.phone,
    contacts.fax,
    ...(random.chance(0.5) ? address : ["", "", "", "", "", ""]),
    "",
    "",
  ];
}

const lastAct = (authority: Authority | undefined): Action["act"] | undefined =>
  authority?.actions.at(-1)?.act;

/** A holds authority, I held it once, N never did. */
function stat(authority: Authority | undefined): "A" | "I" | "N" {
  let status: "A" | "I" | "N" = "N";
  for (const { act } of authority?.actions ?? []) {
    if (act === "granted" || act === "reinstated") status = "A";
    else if (status === "A" && isEnding(act)) status = "I";
  }
  return status;
}

const isEnding = (act: Action["act"]): boolean =>
  act === "revoked" || act === "withdrawn" || act === "suspended_insurance" || act === "suspended_agent";

/** One row per starting action, with the action that ended it once there is one, for each form it was granted in. */
function historyRows(world: World, authority: Authority, ids: string[], random: Random): string[][] {
  const rows: string[][] = [];
  const { actions } = authority;
  actions.forEach((action, at) => {
    const later = actions.slice(at + 1);
    for (const form of authority.forms) {
      const start = (text: string, end: Action | undefined, endText: string) => {
        const type =
          text === "GRANTED" || text === "REINSTATED" ? typeText(authority, form, action.day) : form;
        const ended =
          end === undefined ? ["", "", ""] : [endText, americanDay(end.day), americanDay(end.day)];
        rows.push([...ids, "", type, text, servedDay(world, action.day, random), ...ended]);
      };
      if (action.act === "granted" || action.act === "reinstated") {
        const end = later.find(({ act }) => isEnding(act));
        start(action.act.toUpperCase(), end, end?.act === "withdrawn" ? "REVOKED" : "REVOKED");
      } else if (action.act === "proceeding_opened") {
        const end = later.find(({ act }) => act === "proceeding_dropped" || isEnding(act));
        start("INVOLUNTARY REVOCATION", end, "DISCONTINUED REVOCATION");
      } else if (action.act === "dismissed") start("DISMISSED", undefined, "");
      else if (action.act === "withdrawn" && stat({ ...authority, actions: actions.slice(0, at) }) === "N")
        start("WITHDRAWN", undefined, "");
    }
  });
  return rows;
}

/** The wording changed over the decades; the oldest rows have the bare word. */
function typeText({ kind }: Authority, form: Form, day: number): string {
  const since1995 = day > 9131;
  if (!since1995) return form;
  if (form === "BROKER") return "PROPERTY BROKER";
  if (kind === "household") return `HOUSEHOLD GOODS ${form} CARRIER`;
  if (kind === "passengers") return `MOTOR PASSENGER ${form} CARRIER`;
  return kind === "forwarder" ? form : `MOTOR PROPERTY ${form} CARRIER`;
}

/** MM/DD/YYYY, in a few rows with a year that cannot be. */
function servedDay(world: World, day: number, random: Random): string {
  const text = americanDay(day);
  if (!random.chance(world.shares.oddity(0.0002, 1))) return text;
  return text.slice(0, 6) + random.pick(["0189", "2044", "2517"]);
}
