import type { FeedCode } from "../catalogue.ts";
import type { Alert, Judged } from "./judge.ts";
import { FEED_RULES, type Rule } from "./rules.ts";

/** Whether a carrier stands in a feed, and by which rules, in sentences. */
export interface Verdict {
  feed: FeedCode;
  is_in: boolean;
  because: string[];
}

/** The verdict on one carrier from its judged authorities of that feed's classes. */
export function verdictOn(feed: FeedCode, judged: readonly Judged[]): Verdict {
  const { classes } = FEED_RULES[feed];
  const is_in = judged.some(({ isTaken }) => isTaken);
  if (judged.length === 0) {
    return { feed, is_in, because: [`no ${classes.map(inWords).join(", ")} authority is on record`] };
  }
  // What is in is told first; what else the carrier holds explains why it is not.
  const taken = judged.filter(({ isTaken }) => isTaken);
  const others = judged.filter(({ isTaken }) => !isTaken);
  return { feed, is_in, because: [...taken, ...others].map((authority) => sentence(feed, authority)) };
}

function sentence(feed: FeedCode, authority: Judged): string {
  const { rules, onePer } = FEED_RULES[feed];
  const docket = authority.docket.startsWith("DOT") ? "no docket" : authority.docket;
  const name = `${docket} (${inWords(authority.authority_class)})`;
  if (authority.isTaken) return `${name}: ${positives(rules, authority).join("; ")}`;
  const failed = rules.find((rule) => rule.name === authority.rule);
  if (failed) return `${name}: ${failed.unmet(authority)}`;
  const { cancelled_on } = authority;
  const cancelled = feed === "us_insurance_lapse_alerts" && cancelled_on !== null;
  const which = cancelled ? ` (the last cancellation on record is of ${cancelled_on})` : "";
  return `${name}: ${onePer?.unmet}${which}`;
}

const positives = (rules: readonly Rule[], authority: Judged): string[] => [
  ...rules.flatMap(({ met }) => (met ? [met(authority)] : [])),
  ...(authority.alert ? [alertInWords(authority.alert)] : []),
];

function alertInWords({ alert_reason, insurance_type, cancellation_effective, insurer }: Alert): string {
  if (alert_reason === "suspended") return "suspended for want of insurance and not reinstated";
  if (alert_reason === "not_on_file") return `${insurance_type} is required and not on file`;
  const by = insurer === null ? "" : ` of ${insurer}`;
  return `${insurance_type}${by} is cancelled from ${cancellation_effective} without replacement`;
}

const WORDS: Readonly<Record<string, string>> = {
  carrier_property: "carrier of property",
  carrier_hhg: "carrier of household goods",
  freight_forwarder: "freight forwarder",
};

const inWords = (authorityClass: string): string => WORDS[authorityClass] ?? authorityClass;
