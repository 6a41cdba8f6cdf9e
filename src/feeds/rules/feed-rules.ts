// Each feed's list of rules: they decide which authorities are in the feed. ../derive/<feed>.sql then makes the feed's
// records of these authorities.
import { FREIGHT_CARRIERS, FREIGHT_CLASSES, INTERMEDIARIES } from "../../registry/authority-classes.ts";
import type { FeedCode } from "../catalogue.ts";
import {
  ACTIVE,
  ACTIVE_OR_SUSPENDED,
  AUTHORITY_NOT_IN_REVOCATION,
  CENSUS_ACTIVE,
  COMPANY_NOT_IN_REVOCATION,
  type FeedRules,
  GRANTED_BY_THEN,
  NOT_REMOVED,
  type Rule,
  revocationInWords,
  type Unselected,
  US_COMPANY,
} from "./rule.ts";

/** The rules of a feed of active authorities. */
const active = (...own: readonly Rule[]): readonly Rule[] => [
  NOT_REMOVED,
  ACTIVE,
  ...US_COMPANY,
  GRANTED_BY_THEN,
  ...own,
];

const oneRecord = (sentence: string): Unselected => ({
  code: "other_authority_shown",
  name: "another authority of the company",
  failed: () => sentence,
});

/** For how many days an authority is new. */
export const NEW_DAYS = 28;
/** The most power units of a small carrier. */
export const MOST_POWER_UNITS = 20;

export const FEED_RULES: Readonly<Record<FeedCode, FeedRules>> = {
  us_new_authority_weekly: {
    classes: FREIGHT_CARRIERS,
    rules: active(
      CENSUS_ACTIVE,
      {
        code: "no_grant",
        name: "no date of grant",
        holds: "authority_granted IS NOT NULL",
        failed: () => "no grant is on record",
        passed: null,
      },
      {
        code: "granted_long_ago",
        name: `granted ${NEW_DAYS} days ago or earlier`,
        holds: `days_in_business < ${NEW_DAYS}`,
        failed: ({ authority_granted, as_of, days_in_business }) =>
          `granted ${authority_granted}, ${days_in_business} days before ${as_of}: ${NEW_DAYS} days ago or earlier`,
        passed: ({ authority_granted, as_of, days_in_business }) =>
          `granted ${authority_granted}, ${days_in_business} days before ${as_of}: less than ${NEW_DAYS} days ago`,
      },
      AUTHORITY_NOT_IN_REVOCATION,
    ),
    unselected: oneRecord("one record per company: its newest grant is another one"),
    selected: null,
  },

  us_small_carriers_active: {
    classes: FREIGHT_CARRIERS,
    rules: active(
      CENSUS_ACTIVE,
      {
        code: "power_units_unknown",
        name: "power units not known",
        holds: "power_units IS NOT NULL",
        failed: () => "its power units are not known",
        passed: null,
      },
      {
        code: "no_power_units",
        name: "no power units",
        holds: "power_units >= 1",
        failed: ({ power_units }) => `power units ${power_units} are fewer than 1`,
        passed: null,
      },
      {
        code: "too_many_power_units",
        name: `more than ${MOST_POWER_UNITS} power units`,
        holds: `power_units <= ${MOST_POWER_UNITS}`,
        failed: ({ power_units }) => `power units ${power_units} are more than ${MOST_POWER_UNITS}`,
        passed: ({ power_units }) => `power units ${power_units} are from 1 to ${MOST_POWER_UNITS}`,
      },
      COMPANY_NOT_IN_REVOCATION,
    ),
    unselected: oneRecord("one record per company: the authority granted first is another one"),
    selected: null,
  },

  us_revocation_pending: {
    classes: FREIGHT_CLASSES,
    rules: active({
      code: "no_pending_order",
      name: "no order that takes effect later",
      holds: "order_effective IS NOT NULL",
      failed: ({ as_of }) => `no uncured order that takes effect after ${as_of}`,
      passed: revocationInWords,
    }),
    unselected: null,
    selected: null,
  },

  us_insurance_lapse_alerts: {
    classes: FREIGHT_CLASSES,
    rules: [NOT_REMOVED, ACTIVE_OR_SUSPENDED, ...US_COMPANY, GRANTED_BY_THEN],
    unselected: {
      code: "no_insurance_alert",
      name: "no lapse of insurance or bond",
      failed: ({ last_cancelled_on }) =>
        "no cancellation without replacement, no required filing missing, no suspension for insurance" +
        (last_cancelled_on === null ? "" : ` (the last cancellation on record is of ${last_cancelled_on})`),
    },
    selected: ({ alert_reason, insurance_type, cancellation_effective, insurer }) => {
      if (alert_reason === "suspended") return "suspended for lack of insurance and not reinstated";
      if (alert_reason === "not_on_file") return `${insurance_type} is required and not on file`;
      const by = insurer === null ? "" : ` of ${insurer}`;
      return `${insurance_type}${by} is cancelled from ${cancellation_effective}, and no other one covers from the day after`;
    },
  },

  us_brokers: {
    classes: INTERMEDIARIES,
    rules: active(AUTHORITY_NOT_IN_REVOCATION),
    unselected: oneRecord(
      "one record per company and entity type: the authority granted first is another one",
    ),
    selected: null,
  },
};
