// The rules of a feed, and the SQL made from them. Their list has one order. The derivation takes the authorities that
// pass all of them; reports and explanations name the first rule that an authority fails.
import { dayOf } from "../../platform/clock.ts";
import type { AuthorityClass } from "../../registry/authority-classes.ts";
import { UNKNOWN_COUNTRY } from "../../registry/places/state-codes.ts";

/** A row of the temporary table `candidate` (../derive/sql/make-candidates.sql), as far as rules and their sentences read it. */
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

// Rules that several feeds have in common.

/** Keeps out the businesses that asked to be removed. */
export const NOT_REMOVED: Rule = {
  code: "withdrawn",
  name: "on the removal list",
  holds: "removed_at IS NULL",
  failed: ({ removed_at }) =>
    `belongs to a business that is on the removal list since ${removed_at && dayOf(removed_at)}`,
  passed: null,
};

const registryName = (source: string) => (source === "motus" ? "Motus" : "the legacy registry");

const statusInWords = (status: string) =>
  status === "missing" ? "missing: Motus named it before and no file names it now" : status;

export const ACTIVE: Rule = {
  code: "authority_not_active",
  name: "authority not active",
  holds: "authority_status = 'active'",
  failed: ({ authority_status, status_source }) =>
    `is ${statusInWords(authority_status)} (${registryName(status_source)})`,
  passed: ({ status_source }) => `is active (${registryName(status_source)})`,
};

/** For how many days a feed may show a suspension. */
export const SUSPENDED_DAYS = 30;

export const ACTIVE_OR_SUSPENDED: Rule = {
  code: "neither_active_nor_suspended",
  name: `authority neither active nor suspended for insurance in the last ${SUSPENDED_DAYS} days`,
  holds: "authority_status = 'active' OR suspended_on IS NOT NULL",
  failed: ({ authority_status, status_source }) =>
    `is ${statusInWords(authority_status)} (${registryName(status_source)}), not suspended for lack of insurance in ` +
    `the last ${SUSPENDED_DAYS} days`,
  passed: ({ authority_status, suspended_on }) =>
    suspended_on === null
      ? `is ${authority_status}`
      : `was suspended for lack of insurance on ${suspended_on}`,
};

/** A grant may be newer than the oldest file of the feed: it waits for its day. */
export const GRANTED_BY_THEN: Rule = {
  code: "granted_later",
  name: "granted after the as-of day",
  holds: "coalesce(days_in_business >= 0, true)",
  failed: ({ authority_granted, as_of }) => `was granted ${authority_granted}, after ${as_of}`,
  passed: null,
};

/** Every feed is about companies in the US that have a name. */
export const US_COMPANY: readonly Rule[] = [
  {
    code: "company_without_name",
    name: "company without a name",
    holds: "company IS NOT NULL",
    failed: () => "belongs to a company whose name is in no file",
    passed: null,
  },
  {
    code: "company_outside_us",
    name: "company outside the US",
    holds: "coalesce(country, 'US') = 'US'",
    failed: ({ country }) =>
      country === UNKNOWN_COUNTRY
        ? "belongs to a company whose state is outside of its country, the US"
        : `belongs to a company in ${country}, outside the US`,
    passed: null,
  },
  {
    code: "test_record",
    name: "the registry's own or a test record",
    holds: "is_us_company",
    failed: ({ company }) => `belongs to a record of the registry itself or for tests (${company})`,
    passed: null,
  },
];

export const CENSUS_ACTIVE: Rule = {
  code: "usdot_not_active",
  name: "USDOT number not active in the census",
  holds: "status_code = 'A'",
  failed: ({ is_in_census, status_code }) =>
    is_in_census
      ? `its USDOT number is not active in the census (status ${status_code})`
      : "the census does not know its USDOT number",
  passed: () => "its USDOT number is active in the census",
};

/** The revocation that is pending on an authority. */
export function revocationInWords(candidate: Candidate): string {
  const { order_type, order_served, order_effective, later_orders } = candidate;
  if (order_effective === null) return "in revocation by the legacy registry";
  const since =
    order_served === null ? "pending (no day of service that counts)" : `pending since ${order_served}`;
  const first = later_orders > 0 ? `, the first of ${later_orders + 1} orders to take effect` : "";
  return `revocation ${since}, effective ${order_effective} (${order_type})${first}`;
}

const REVOCATION_PENDING = { code: "revocation_pending", name: "revocation pending" };

/** No order revokes this authority. */
export const AUTHORITY_NOT_IN_REVOCATION: Rule = {
  code: REVOCATION_PENDING.code,
  name: REVOCATION_PENDING.name,
  holds: "NOT is_revocation_pending",
  failed: revocationInWords,
  passed: () => "no revocation pending",
};

/** No order revokes any carrier authority of the company. */
export const COMPANY_NOT_IN_REVOCATION: Rule = {
  code: REVOCATION_PENDING.code,
  name: REVOCATION_PENDING.name,
  holds: "revoking_docket IS NULL",
  failed: (candidate) =>
    candidate.is_revocation_pending
      ? revocationInWords(candidate)
      : `the company's ${candidate.revoking_docket} is in revocation`,
  passed: () => "no revocation pending on any carrier authority of the company",
};
