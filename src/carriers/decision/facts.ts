// What the decision on a carrier is made from: facts of the registry's files, as of one day.
import type { AuthorityClass } from "../../registry/authority-classes.ts";
import type { StatusChange } from "../explain/explained-authorities.ts";

/** What is known of the company. Null: the files do not say. */
export interface CompanyFacts {
  usdot: number;
  /** The day of the files. */
  asOf: string;
  /** The census's status of the USDOT number: A is active, I is not. */
  usdotStatus: string | null;
  /** Null too when the file of these orders is missing, or too old to tell. */
  isOutOfService: boolean | null;
  outOfServiceSince: string | null;
  outOfServiceReason: string | null;
  safetyRating: string | null;
  safetyRatingOn: string | null;
}

export interface AuthorityFacts {
  /** Null if the registry gave none. */
  docket: string | null;
  authorityClass: AuthorityClass;
  status: string;
  statusSource: string;
  grantedOn: string | null;
  /** The newest change of status that the registry has, with its meaning (vocabularies.yaml). */
  lastChange: StatusChange | null;
  /** Orders that are to take effect, the first one first. Its day may have passed, while no file says that it did. */
  orders: readonly PendingOrder[];
  /** The legacy registry says that a revocation is open, and no file gives its day. */
  isRevocationUndated: boolean;
  /** Null for a passenger carrier, about which no more is known here. */
  cover: Cover | null;
}

export interface PendingOrder {
  kind: OrderKind;
  servedOn: string | null;
  effectiveOn: string;
}

export type OrderKind = "suspension" | "revocation" | "order";

/** Insurance, bond or trust fund of an authority. Null: the files do not say. */
export interface Cover {
  /** Dollars of liability insurance; null also for brokers. */
  required: number | null;
  onFile: number | null;
  isCargoRequired: boolean | null;
  isCargoOnFile: boolean | null;
  isBondRequired: boolean | null;
  isBondOnFile: boolean | null;
  bondForm: string | null;
  /** The company of the policy, bond or trust fund on file, and the day from which it covers. */
  insurer: string | null;
  effectiveOn: string | null;
  /** Whether the files tell of cancellations. */
  isChecked: boolean;
  /** The first one of what is required that no other policy covers. Its day may have passed. */
  cancellation: Cancellation | null;
}

interface Cancellation {
  insuranceType: InsuranceType;
  on: string;
  insurer: string | null;
}

export type InsuranceType = "bipd" | "cargo" | "bond" | "trust_fund";
