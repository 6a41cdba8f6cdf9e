// The first lines of a carrier's page: whether it may haul or arrange transport, and until when or why not.
import type { InsuranceType, OrderKind } from "../../../carriers/decision/facts.ts";
import type { Answer, Gap, Limit, Obstacle, Outcome, Role } from "../../../carriers/decision/may-operate.ts";
import { shownCount } from "../../../platform/plural.ts";
import { shownDate } from "../../../platform/shown-day.ts";
import type { AuthorityClass } from "../../../registry/authority-classes.ts";
import { type Html, html } from "../../kit/html.ts";
import { verdict } from "../../kit/notice.ts";

/** A line for each answer. `today`: YYYY-MM-DD. */
export const decisionLines = (answers: readonly Answer[], today: string): Html =>
  html`${answers.map((answer) => verdict(toneOf(answer.outcome), decisionText(answer, today)))}`;

function toneOf(outcome: Outcome): "good" | "warn" | "bad" | "plain" {
  if (outcome.may === "yes") return outcome.limit === null ? "good" : "warn";
  return outcome.may === "no" ? "bad" : "plain";
}

const ROLES: Readonly<Record<Role, string>> = { haul: "May haul", arrange: "May arrange" };

/** What the answer is about when it is about one class alone. */
const CLASSES: Readonly<Record<AuthorityClass, string>> = {
  carrier_property: " property",
  carrier_hhg: " household goods",
  passenger: " passengers",
  broker: " as a broker",
  freight_forwarder: " as a freight forwarder",
};

export const decisionText = ({ role, classes, outcome }: Answer, today: string): string =>
  `${ROLES[role]}${classes.map((each) => CLASSES[each]).join()}: ${outcomeText(outcome, today)}`;

function outcomeText(outcome: Outcome, today: string): string {
  const day = (on: string) => shownDate(on, today);
  if (outcome.may === "no") return `no (${obstacleText(outcome.because, day)})`;
  if (outcome.may === "not known") return `not known (${gapText(outcome.missing, day)})`;
  return outcome.limit === null ? "yes" : `yes, ${limitText(outcome.limit, day)}`;
}

type ShownDay = (on: string) => string;

/** The names of what insures or secures an authority, in the middle of a sentence. */
export const INSURANCE_WORDS: Readonly<Record<InsuranceType, string>> = {
  bipd: "insurance",
  cargo: "cargo insurance",
  bond: "bond",
  trust_fund: "trust fund",
};

/** What an order will do. */
export const ORDER_WORDS: Readonly<Record<OrderKind, string>> = {
  suspension: "suspension ordered",
  revocation: "revocation ordered",
  order: "its end was ordered",
};

const limitText = (limit: Limit, day: ShownDay): string =>
  limit.code === "order"
    ? `until ${day(limit.on)} (${ORDER_WORDS[limit.kind]})`
    : `${INSURANCE_WORDS[limit.insuranceType]} ends ${day(limit.on)} (cancellation filed)`;

function obstacleText(because: Obstacle, day: ShownDay): string {
  switch (because.code) {
    case "out_of_service":
      return because.since === null ? "out of service" : `out of service since ${day(because.since)}`;
    case "usdot_not_active":
      return "its USDOT number is not active";
    case "insurance_too_low":
      return `${dollars(because.required)} of insurance is required, ${because.onFile === 0 ? "none" : dollars(because.onFile)} is on file`;
    case "bond_missing":
      return "a bond or trust fund is required, none is on file";
    case "cargo_missing":
      return "cargo insurance is required, none is on file";
    case "suspended":
    case "revoked":
    case "withdrawn":
      return `authority ${because.code} on ${day(because.since)}`;
    case "applied_for":
      return "authority applied for, not granted";
    case "not_active":
      return "no active authority";
  }
}

function gapText(missing: Gap, day: ShownDay): string {
  switch (missing.code) {
    case "files_old":
      return `the newest files are of ${day(missing.asOf)}`;
    case "authority_not_named":
      return "the registry's files no longer name its authority";
    case "status_unknown":
      return `the registry's word for its authority is "${missing.status}"`;
    case "out_of_service_unknown":
      return "the file of out-of-service orders is missing or too old";
    case "usdot_unknown":
      return "the census does not say that its USDOT number is active";
    case "order_due":
      return `${ORDER_WORDS[missing.kind]} for ${day(missing.on)}, the files of ${day(missing.asOf)} do not say that it took effect`;
    case "revocation_undated":
      return "a revocation is open, its day is in no file";
    case "cancellation_due":
      return `${INSURANCE_WORDS[missing.insuranceType]} ended ${day(missing.on)}, no other one is in force`;
    case "cancellation_unknown":
      return "cancellations of its insurance are not known";
    case "amount_unknown":
      return "the files do not say how much insurance is required or on file";
    case "cargo_unknown":
      return "the files do not say whether its cargo insurance is on file";
    case "bond_unknown":
      return "the files do not say whether its bond or trust fund is on file";
  }
}

/** An amount of money. */
export const dollars = (amount: number): string => `$${shownCount(amount)}`;
