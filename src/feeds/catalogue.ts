// The feeds as data: what stands in the specification's tables, and what each feed promises.
// Filters, pages, CSV, documentation and the carrier lookup all read this; a feed more is an entry and its SQL.
import type { Dataset } from "../registry/datasets.ts";
import {
  AUTHORITY_TYPE,
  AUTHORITY_TYPES,
  type Column,
  ENTITY_TYPE,
  FLEET,
  IDENTITY,
  INSURANCE,
  ORDER,
  STATUS_AND_CONTACT,
  VERIFICATION,
} from "./columns.ts";

export type { Column } from "./columns.ts";

/** The filters of the specification, in its order. */
export const FILTER_NAMES = [
  "state",
  "trucks_min",
  "trucks_max",
  "granted_since",
  "min_days_in_business",
  "max_days_in_business",
  "general_freight",
  "has_cell",
  "time_zone",
  "phone_type",
  "entity_type",
] as const;
export type FilterName = (typeof FILTER_NAMES)[number];

export type FeedCode =
  | "us_new_authority_weekly"
  | "us_small_carriers_active"
  | "us_revocation_pending"
  | "us_insurance_lapse_alerts"
  | "us_brokers";

export interface Feed {
  code: FeedCode;
  name: string;
  country: "US";
  cadence: "daily" | "weekly";
  /** In the order of JSON members and CSV cells. */
  columns: readonly Column[];
  allowedFilters: readonly FilterName[];
  promisesNoRevocationPending: boolean;
  /** The events that a plan with this feed may read. */
  eventTypes: readonly string[];
  /** What beside the USDOT number tells one record of the feed from another. */
  recordKey: readonly string[];
  /**
   * The live registry files that its promises rest on: it is not live until all have come, and as of the oldest of
   * those that tell their day.
   */
  sources: readonly Dataset[];
}

// Additions stand behind the columns of 1.0, so that positions in a CSV hold.
const carrierColumns = (...own: readonly Column[]): readonly Column[] => [
  ...IDENTITY,
  AUTHORITY_TYPE,
  ...own,
  ...STATUS_AND_CONTACT,
  ...FLEET,
  ...VERIFICATION,
];

/** Every feed, in the order of the specification's table. */
export const FEEDS: readonly Feed[] = [
  {
    code: "us_new_authority_weekly",
    name: "New carrier authorities",
    country: "US",
    cadence: "weekly",
    columns: [...carrierColumns(), AUTHORITY_TYPES],
    recordKey: [],
    allowedFilters: [
      "state",
      "trucks_min",
      "trucks_max",
      "granted_since",
      "min_days_in_business",
      "max_days_in_business",
      "general_freight",
      "has_cell",
      "time_zone",
    ],
    promisesNoRevocationPending: true,
    eventTypes: ["new_authority_granted"],
    sources: ["motus_carrier", "motus_authhist", "motus_revokesuspend", "census"],
  },
  {
    code: "us_small_carriers_active",
    name: "Active small carriers",
    country: "US",
    cadence: "daily",
    columns: [...carrierColumns(), AUTHORITY_TYPES],
    recordKey: [],
    allowedFilters: [
      "state",
      "trucks_min",
      "trucks_max",
      "granted_since",
      "min_days_in_business",
      "max_days_in_business",
      "phone_type",
    ],
    promisesNoRevocationPending: true,
    eventTypes: ["reinstated", "authority_inactive"],
    sources: ["motus_carrier", "motus_authhist", "motus_revokesuspend", "census"],
  },
  {
    code: "us_revocation_pending",
    name: "Revocation pending",
    country: "US",
    cadence: "daily",
    columns: carrierColumns(...ORDER),
    recordKey: ["docket_number", "authority_type"],
    allowedFilters: [
      "state",
      "trucks_min",
      "trucks_max",
      "granted_since",
      "min_days_in_business",
      "max_days_in_business",
      "phone_type",
    ],
    promisesNoRevocationPending: false,
    eventTypes: ["revocation_pending", "reinstated", "authority_inactive"],
    sources: ["motus_carrier", "motus_authhist", "motus_revokesuspend"],
  },
  {
    code: "us_insurance_lapse_alerts",
    name: "Insurance lapse alerts",
    country: "US",
    cadence: "daily",
    columns: carrierColumns(...INSURANCE),
    recordKey: ["docket_number", "authority_type"],
    allowedFilters: ["state", "trucks_min", "trucks_max", "phone_type"],
    promisesNoRevocationPending: false,
    eventTypes: ["insurance_cancellation_suspension", "reinstated"],
    sources: ["motus_carrier", "motus_authhist", "motus_insur", "motus_inshist"],
  },
  {
    code: "us_brokers",
    name: "Brokers and freight forwarders",
    country: "US",
    cadence: "daily",
    columns: [...IDENTITY, ENTITY_TYPE, ...STATUS_AND_CONTACT, ...VERIFICATION],
    recordKey: ["entity_type"],
    allowedFilters: [
      "state",
      "granted_since",
      "min_days_in_business",
      "max_days_in_business",
      "has_cell",
      "entity_type",
    ],
    promisesNoRevocationPending: true,
    eventTypes: ["new_authority_granted", "reinstated", "authority_inactive"],
    sources: ["motus_carrier", "motus_authhist", "motus_revokesuspend"],
  },
];

const feedsByCode: ReadonlyMap<string, Feed> = new Map(FEEDS.map((feed) => [feed.code, feed]));

/** The feed of that code, if there is one. */
export const feedOf = (code: string): Feed | undefined => feedsByCode.get(code);
