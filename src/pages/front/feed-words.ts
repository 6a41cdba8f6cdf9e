import type { FeedCode } from "../../feeds/catalogue.ts";
import { MOST_POWER_UNITS, NEW_DAYS } from "../../feeds/rules/feed-rules.ts";

/** What the public page of a feed says beside its facts. */
interface FeedWords {
  /** What it lists, in a sentence or two. */
  about: string;
  /** The trade that reads it most, as a subject in the plural. */
  readers: string;
  /** The question that it answers them. */
  question: string;
}

/** Of every feed. */
export const FEED_WORDS: Readonly<Record<FeedCode, FeedWords>> = {
  us_new_authority_weekly: {
    about: `Trucking companies that got an operating authority less than ${NEW_DAYS} days ago, with no revocation pending. Each has its fleet, its place and, where it filed its own, its phone and e-mail.`,
    readers: "Sales desks of insurers, factors and fuel card companies",
    question: "Which companies have just begun to haul, and how do I reach them?",
  },
  us_small_carriers_active: {
    about: `Carriers of 1 to ${MOST_POWER_UNITS} trucks whose authority is active, with no revocation pending. Each record says when that was last verified.`,
    readers: "Brokers and load boards that look for capacity",
    question: "Which small carriers of a state may haul today, and with how many trucks?",
  },
  us_revocation_pending: {
    about:
      "Authorities that are active now, and that an order of the registry ends on a later day unless the company cures the reason.",
    readers: "Brokers and vetting firms",
    question: "Which carriers may haul today, and may not next week?",
  },
  us_insurance_lapse_alerts: {
    about:
      "Authorities whose primary insurance or bond is cancelled without another in its place, is required and not on file, or for want of which they are suspended.",
    readers: "Insurance agents and lenders",
    question: "Who loses the insurance that the authority needs, and on which day?",
  },
  us_brokers: {
    about:
      "Brokers and freight forwarders whose authority is active, with no revocation pending. Each record shows the bond or trust fund on file.",
    readers: "Carriers, factors and shippers",
    question: "May this broker arrange freight, and what is its bond?",
  },
};

/** Four trades that read the feeds, as the front page speaks to them, each with the feed that answers its question. */
export const TRADES: readonly (readonly [trade: string, feed: FeedCode])[] = [
  ["You sell to carriers", "us_new_authority_weekly"],
  ["You insure carriers", "us_insurance_lapse_alerts"],
  ["You work with brokers", "us_brokers"],
  ["You vet carriers", "us_revocation_pending"],
];
