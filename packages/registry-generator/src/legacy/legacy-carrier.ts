import type { Company } from "../companies/company.ts";
import type { Authority, Docket } from "../histories/authorities.ts";
import type { Action } from "../histories/histories.ts";
import type { Random } from "../random.ts";
import { legacyStatus } from "./legacy-status.ts";

type Form = Authority["forms"][number];

/** One docket's row of 43 fields, in a file without header. `known`: its authorities as the legacy system knew them. */
export function legacyCarrierRow(
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
  const active = known.some((authority) => legacyStatus(authority) === "A");
  const required = carries === undefined ? "00000" : carries.kind === "passengers" ? "05000" : "00750";
  const household = has("household") === "Y" || (carries?.kind === "forwarder" && carries.ofHousehold);
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
    ...forms.map((form) => legacyStatus(of(form))),
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
    contacts.authorityPhone,
    contacts.fax,
    ...(random.chance(0.5) ? address : ["", "", "", "", "", ""]),
    "",
    "",
  ];
}

const lastAct = (authority: Authority | undefined): Action["act"] | undefined =>
  authority?.actions.at(-1)?.act;
