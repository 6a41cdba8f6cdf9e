// Why a carrier is in a feed of the caller's plan or not, in the plan's terms. It tells nothing of removals and nothing of
// states that the plan does not have.
import type { FeedCode } from "../../feeds/catalogue.ts";
import type { EntitledFeed } from "../../feeds/entitlement.ts";
import { FEED_RULES, MOST_POWER_UNITS, NEW_DAYS } from "../../feeds/rules/feed-rules.ts";
import { NOT_REMOVED, SUSPENDED_DAYS } from "../../feeds/rules/rule.ts";
import { classInWords } from "../../registry/authority-classes.ts";
import type { Membership } from "../explain/feed-membership.ts";

export interface FeedLine {
  feed: FeedCode;
  name: string;
  isIn: boolean;
  /** Why it is not in the feed; null if it is. */
  because: string | null;
}

/** What is known of a carrier and one feed. */
interface Known {
  /** The day of the served version; null while the feed is not live. */
  asOf: string | null;
  memberships: readonly Membership[];
  /** What the caller sees of the carrier. */
  records: readonly { feed: string; record: { state?: string | null } }[];
}

export function feedLine({ feed, regions }: EntitledFeed, known: Known): FeedLine {
  const isIn = known.records.some((record) => record.feed === feed.code);
  return { feed: feed.code, name: feed.name, isIn, because: isIn ? null : reason(feed.code, regions, known) };
}

function reason(
  code: FeedCode,
  regions: readonly string[] | null,
  { asOf, memberships, records }: Known,
): string {
  if (asOf === null) return "The feed is not live yet.";
  const state = records.map(({ record }) => record.state ?? null).find((known) => known !== null) ?? null;
  if (regions !== null && (state === null || !regions.includes(state))) {
    return "It is outside the states of your plan.";
  }
  const notYet = `The version of ${asOf} does not have it.`;
  if (memberships.length === 0) {
    const classes = FEED_RULES[code].classes.map(classInWords);
    return `It has no authority as ${classes.join(" or ")}.`;
  }
  // The lists decide what is shown, and they may have changed since the version was made.
  if (memberships.some(({ record, failure }) => record !== null || failure === NOT_REMOVED.code))
    return notYet;
  const [nearest] = memberships.toSorted((one, other) => passed(code, other) - passed(code, one));
  return nearest
    ? (SENTENCES[nearest.failure ?? FEED_RULES[code].unselected?.code ?? ""]?.(nearest) ?? notYet)
    : notYet;
}

/** How many rules it passes before the one that it fails. */
function passed(code: FeedCode, { failure }: Membership): number {
  const { rules } = FEED_RULES[code];
  return failure === null ? rules.length : rules.findIndex((rule) => rule.code === failure);
}

/** What a customer is told of each rule that an authority fails, by the rule's code. */
export const SENTENCES: Readonly<Record<string, (membership: Membership) => string>> = {
  authority_not_active: ({ authority_status }) =>
    `Its authority is ${statusInWords(authority_status)}, not active.`,
  neither_active_nor_suspended: ({ authority_status }) =>
    `Its authority is ${statusInWords(authority_status)}, and was not suspended for insurance in the last ${SUSPENDED_DAYS} days.`,
  granted_later: ({ authority_granted, as_of }) =>
    `Its authority was granted on ${authority_granted}, after the feed's day, ${as_of}.`,
  company_without_name: () => "The registry has no name of it.",
  company_outside_us: () => "It is outside the US.",
  test_record: () => "It is the registry's own record, or one for tests.",
  usdot_not_active: () => "Its USDOT number is not active in the census.",
  no_grant: () => "The registry has no day on which its authority was granted.",
  granted_long_ago: ({ authority_granted, days_in_business }) =>
    `Its authority was granted on ${authority_granted}, ${days_in_business} days ago. The feed has the last ${NEW_DAYS} days.`,
  power_units_unknown: () => "Its number of trucks is not known.",
  no_power_units: () => `It has no trucks. The feed has companies with 1 to ${MOST_POWER_UNITS}.`,
  too_many_power_units: ({ power_units }) =>
    `It has ${power_units} trucks. The feed has companies with 1 to ${MOST_POWER_UNITS}.`,
  revocation_pending: ({ order_effective }) =>
    order_effective === null
      ? "A revocation of the company's authority is pending."
      : `An order ends its authority on ${order_effective}.`,
  no_pending_order: () => "No order that suspends or revokes its authority is pending.",
  other_authority_shown: () => "The feed shows another authority of the company.",
  no_insurance_alert: () =>
    "No cancellation without another policy is filed, and nothing that is required is missing.",
};

const statusInWords = (status: string): string =>
  status === "missing" ? "no longer in the registry" : status;
