import type { FeedCode } from "../catalogue.ts";
import type { Judged } from "./judge.ts";
import { type Candidate, FEED_RULES, type Rule } from "./rules.ts";

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
  const name = `${authority.docket} (${inWords(authority.authority_class)})`;
  if (authority.isTaken) return `${name}: ${positives(rules, authority).join("; ")}`;
  const failed = rules.find((rule) => rule.name === authority.rule);
  const why = failed?.unmet(authority) ?? onePer?.unmet ?? "not taken";
  return `${name}: ${why}`;
}

const positives = (rules: readonly Rule[], candidate: Candidate): string[] =>
  rules.flatMap(({ met }) => (met ? [met(candidate)] : []));

const WORDS: Readonly<Record<string, string>> = {
  carrier_property: "carrier of property",
  carrier_hhg: "carrier of household goods",
  freight_forwarder: "freight forwarder",
};

const inWords = (authorityClass: string): string => WORDS[authorityClass] ?? authorityClass;
