// Why an authority is in a feed or not: the rules of ../derive/*.sql, one by one and in words. The derivations decide;
// a test holds these to them for every carrier of a registry.
import { dayOf } from "../../platform/clock.ts";
import type { FeedCode } from "../catalogue.ts";

/** What candidate.sql says of one authority. */
export interface Candidate {
  usdot: number;
  docket: string;
  authority_class: string;
  status: string;
  status_source: string;
  granted_on: string | null;
  suspended_on: string | null;
  as_of: string;
  legal_name: string | null;
  country: string | null;
  is_in_census: boolean;
  status_code: string | null;
  power_units: number | null;
  removed_at: Date | null;
  is_subject: boolean;
  days_in_business: number | null;
  is_revocation_pending: boolean;
  revoking_docket: string | null;
  order_type: string | null;
  served_on: string | null;
  effective_on: string | null;
  /** Orders pending on the authority that take effect after that one. */
  later_orders: number;
}

export interface Rule {
  /** How reports count it: what is left out. */
  name: string;
  /** SQL over a row of candidate.sql: true when the rule keeps it out. Earlier rules did not. */
  fails: string;
  /** Why it keeps the authority out. */
  unmet: (candidate: Candidate) => string;
  /** That it does not; null where that says nothing. */
  met: ((candidate: Candidate) => string) | null;
}

export interface FeedRules {
  classes: readonly string[];
  rules: readonly Rule[];
  /** Of several authorities that pass every rule: by what, and in words, one is taken. */
  onePer: { name: string; unmet: string } | null;
}

/** The rule that keeps out who asked to be removed. */
export const REMOVAL_RULE = "on the removal list";

const NOT_REMOVED: Rule = {
  name: REMOVAL_RULE,
  fails: "removed_at IS NOT NULL",
  unmet: ({ removed_at }) =>
    `belongs to a business that is on the removal list since ${removed_at && dayOf(removed_at)}`,
  met: null,
};

const registryName = (source: string) => (source === "motus" ? "Motus" : "the frozen legacy registry");

const statusInWords = (status: string) =>
  status === "missing" ? "missing: Motus named it before and no file names it now" : status;

const ACTIVE: Rule = {
  name: "authority not active",
  fails: "status <> 'active'",
  unmet: ({ status, status_source }) => `is ${statusInWords(status)} (${registryName(status_source)})`,
  met: ({ status_source }) => `is active (${registryName(status_source)})`,
};

const ACTIVE_OR_SUSPENDED: Rule = {
  name: "authority neither active nor suspended for insurance in the last 30 days",
  fails: "status <> 'active' AND suspended_on IS NULL",
  unmet: ({ status, status_source }) =>
    `is ${statusInWords(status)} (${registryName(status_source)}), not suspended for want of insurance in the last 30 days`,
  met: ({ status, suspended_on }) =>
    suspended_on === null ? `is ${status}` : `was suspended for want of insurance on ${suspended_on}`,
};

// The same conditions as at the end of ../derive/company.sql, but for the removal list, which is asked first of all.
const COMPANY: readonly Rule[] = [
  {
    name: "company without a name",
    fails: "NOT is_subject AND legal_name IS NULL",
    unmet: () => "belongs to a company whose name no file tells",
    met: null,
  },
  {
    name: "company outside the US",
    fails: "NOT is_subject AND coalesce(country, 'US') <> 'US'",
    unmet: ({ country }) => `belongs to a company in ${country}, outside the US`,
    met: null,
  },
  {
    name: "the registry's own or a test record",
    fails: "NOT is_subject",
    unmet: ({ legal_name }) => `belongs to a record of the registry itself or for tests (${legal_name})`,
    met: null,
  },
];

const CENSUS_ACTIVE: Rule = {
  name: "USDOT number not active in the census",
  fails: "status_code IS DISTINCT FROM 'A'",
  unmet: ({ is_in_census, status_code }) =>
    is_in_census
      ? `its USDOT number is not active in the census (status ${status_code})`
      : "the census does not know its USDOT number",
  met: () => "its USDOT number is active in the census",
};

const revocationOf = ({ order_type, served_on, effective_on, later_orders }: Candidate): string => {
  if (effective_on === null) return "in revocation by the frozen legacy registry";
  const since = served_on === null ? "pending (no day of service that counts)" : `pending since ${served_on}`;
  const first = later_orders > 0 ? `, the first of ${later_orders + 1} orders to take effect` : "";
  return `revocation ${since}, effective ${effective_on} (${order_type})${first}`;
};

const NOT_REVOKING: Rule = {
  name: "revocation pending",
  fails: "is_revocation_pending",
  unmet: revocationOf,
  met: () => "no revocation pending",
};

const CARRIERS = ["carrier_property", "carrier_hhg"];

/** The rules of each feed, in the order in which they are asked. */
export const FEED_RULES: Readonly<Record<FeedCode, FeedRules>> = {
  us_new_authority_weekly: {
    classes: CARRIERS,
    rules: [
      NOT_REMOVED,
      ACTIVE,
      ...COMPANY,
      CENSUS_ACTIVE,
      {
        name: "no date of grant",
        fails: "days_in_business IS NULL",
        unmet: () => "no grant is on record",
        met: null,
      },
      {
        name: "granted after the as-of day",
        fails: "days_in_business < 0",
        unmet: ({ granted_on, as_of }) => `granted ${granted_on}, after ${as_of}`,
        met: null,
      },
      {
        name: "granted 28 days ago or earlier",
        fails: "days_in_business > 27",
        unmet: ({ granted_on, as_of, days_in_business }) =>
          `granted ${granted_on}, ${days_in_business} days before ${as_of}: 28 days ago or earlier`,
        met: ({ granted_on, as_of, days_in_business }) =>
          `granted ${granted_on}, ${days_in_business} days before ${as_of}: less than 28 days ago`,
      },
      NOT_REVOKING,
    ],
    onePer: {
      name: "another authority of the company",
      unmet: "one record per company: its newest grant is another one",
    },
  },
  us_small_carriers_active: {
    classes: CARRIERS,
    rules: [
      NOT_REMOVED,
      ACTIVE,
      ...COMPANY,
      CENSUS_ACTIVE,
      {
        name: "power units not known",
        fails: "power_units IS NULL",
        unmet: () => "its power units are not known",
        met: null,
      },
      {
        name: "no power units",
        fails: "power_units < 1",
        unmet: ({ power_units }) => `power units ${power_units} are fewer than 1`,
        met: null,
      },
      {
        name: "more than 20 power units",
        fails: "power_units > 20",
        unmet: ({ power_units }) => `power units ${power_units} are more than 20`,
        met: ({ power_units }) => `power units ${power_units} are from 1 to 20`,
      },
      {
        name: "revocation pending",
        fails: "revoking_docket IS NOT NULL",
        unmet: (candidate) =>
          candidate.is_revocation_pending
            ? revocationOf(candidate)
            : `the company's ${candidate.revoking_docket} is in revocation`,
        met: () => "no revocation pending on any carrier authority of the company",
      },
    ],
    onePer: {
      name: "another authority of the company",
      unmet: "one record per company: the authority granted first is another one",
    },
  },
  us_revocation_pending: {
    classes: [...CARRIERS, "broker", "freight_forwarder"],
    rules: [
      NOT_REMOVED,
      ACTIVE,
      ...COMPANY,
      {
        name: "no order that takes effect later",
        fails: "effective_on IS NULL",
        unmet: ({ as_of }) => `no uncured order that takes effect after ${as_of}`,
        met: revocationOf,
      },
    ],
    onePer: null,
  },
  us_insurance_lapse_alerts: {
    classes: [...CARRIERS, "broker", "freight_forwarder"],
    rules: [NOT_REMOVED, ACTIVE_OR_SUSPENDED, ...COMPANY],
    onePer: {
      name: "no insurance cancelled without replacement, missing or suspended for",
      unmet: "no cancellation without replacement, no required filing missing, no suspension for insurance",
    },
  },
  us_brokers: {
    classes: ["broker", "freight_forwarder"],
    rules: [NOT_REMOVED, ACTIVE, ...COMPANY, NOT_REVOKING],
    onePer: {
      name: "another authority of the company",
      unmet: "one record per company and entity type: the authority granted first is another one",
    },
  },
};

/** SQL over candidate.sql: the name of the first rule that keeps a row out; null when none does. */
export const firstFailure = ({ rules }: FeedRules): string =>
  `CASE ${rules.map(({ name, fails }) => `WHEN ${fails} THEN '${name.replaceAll("'", "''")}'`).join(" ")} END`;
