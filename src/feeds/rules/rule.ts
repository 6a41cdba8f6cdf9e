// The rules of a feed, and the SQL made from them. Their list has one order. The derivation takes the authorities that
// pass all of them; reports and explanations name the first rule that an authority fails.
import type { AuthorityClass } from "../../registry/authority-classes.ts";

/** A row of the temporary table `candidate` (../derive/make-candidates.sql), as far as rules and their sentences read it. */
export interface Candidate {
  usdot: number;
  docket: string;
  /** Null if the registry gave none. */
  docket_number: string | null;
  authority_class: AuthorityClass;
  authority_status: string;
  status_source: string;
  authority_granted: string | null;
  days_in_business: number | null;
  as_of: string;
  removed_at: Date | null;
  /** The company's columns are null if the authority is neither active nor was suspended lately. */
  company: string | null;
  country: string | null;
  is_us_company: boolean | null;
  is_in_census: boolean | null;
  status_code: string | null;
  power_units: number | null;
  suspended_on: string | null;
  is_revocation_pending: boolean;
  /** The order that takes effect first. */
  order_type: string | null;
  order_served: string | null;
  order_effective: string | null;
  /** How many orders pending on the authority take effect after that one. */
  later_orders: number;
  /** A carrier authority of the same company that is in revocation. */
  revoking_docket: string | null;
}

/** Why an authority is not in a feed. */
export interface Reason {
  /** Never changes its meaning: programs compare it. */
  code: string;
  /** Its name in reports. */
  name: string;
}

export interface Rule extends Reason {
  /** SQL over a row of `candidate`. The rule fails if this is false or null. */
  holds: string;
  /** The sentence about an authority that fails this rule and passed those before it. */
  failed: (candidate: Candidate) => string;
  /** The sentence about an authority in the feed; null if the rule is not worth a sentence. */
  passed: ((candidate: Candidate) => string) | null;
}

/** The reason why a feed's SELECT leaves out an authority that passes every rule. */
export interface Unselected extends Reason {
  failed: (candidate: Candidate & { last_cancelled_on: string | null }) => string;
}

export interface FeedRules {
  /** The feed's candidates are the authorities of these classes. */
  classes: readonly AuthorityClass[];
  rules: readonly Rule[];
  /** Null if the SELECT takes every authority that passes the rules. */
  unselected: Unselected | null;
  /** A sentence made from the columns that the SELECT adds, for an authority in the feed; null if it adds none. */
  selected: ((record: Readonly<Record<string, string | null>>) => string) | null;
}

const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`;

/** SQL over `candidate`: whether a row is of the feed's classes. */
export const isOfFeed = ({ classes }: FeedRules): string =>
  `authority_class IN (${classes.map(literal).join(", ")})`;

/** SQL over `candidate`: whether a row of the feed's classes passes every rule. */
export const allRulesHold = ({ rules }: FeedRules): string =>
  rules.map(({ holds }) => `(${holds})`).join(" AND ");

/** SQL over `candidate`: the code of the first rule that a row fails; null when it passes every rule. */
export const firstFailure = ({ rules }: FeedRules): string =>
  `CASE ${rules.map(({ code, holds }) => `WHEN (${holds}) IS NOT TRUE THEN ${literal(code)}`).join(" ")} END`;
