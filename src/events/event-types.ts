/** The event types with the feeds that carry them: a plan needs one of these feeds to see the type. */
export const EVENT_TYPE_FEEDS = {
  new_authority_granted: ["us_new_authority_weekly", "us_brokers"],
  insurance_cancellation_suspension: ["us_insurance_lapse_alerts"],
  revocation_pending: ["us_revocation_pending"],
  reinstated: [
    "us_small_carriers_active",
    "us_revocation_pending",
    "us_insurance_lapse_alerts",
    "us_brokers",
  ],
  authority_inactive: ["us_small_carriers_active", "us_revocation_pending", "us_brokers"],
} as const satisfies Record<string, readonly string[]>;

export type EventType = keyof typeof EVENT_TYPE_FEEDS;

/** Every event type, in the order of the specification's table. */
export const EVENT_TYPES = Object.keys(EVENT_TYPE_FEEDS) as readonly EventType[];
