/** The tables whose rows don't go by age, by the reason. */
export const SETTLED_TABLES: Readonly<Record<string, readonly string[]>> = {
  "has what operators and customers set up": [
    "plan",
    "plan_feed",
    "account",
    // A revoked key still names its usage.
    "api_key",
    // A dispatcher erases a deleted endpoint with its deliveries.
    "webhook_endpoint",
    "agent_contact",
  ],
  "has one row": [
    "installation",
    "detection",
    "event_floor",
    "authority_rules",
    "webhook_fan_out",
    "suppression_state",
  ],
  "has one row a key, an account, a slot, a feed or a table": [
    "key_minute",
    "preview_day",
    "export_slot",
    "feed_current",
    "upkeep",
  ],
  "is as large as the registry, and each import makes it anew": [
    "source",
    "census",
    "motus_carrier",
    "motus_authhist",
    "motus_revokesuspend",
    "motus_insur",
    "motus_inshist",
    "legacy_carrier",
    "legacy_authhist",
    "legacy_revocation",
    "legacy_insur",
    "legacy_actpendinsur",
    "legacy_inshist",
    "authority",
    "shared_contact",
    "phone_exchange",
    "pending_revocation",
    "registry_word",
    // Each import deletes notices that are past.
    "cancellation_notice",
  ],
  "has one row an authority of the registry": ["past_loss"],
  "is the removal list, which holds until a request is undone, and its log, which the law wants kept": [
    "removal_request",
    "removal_decision",
    "removal_identifier",
    "removal_match",
    "suppressed_business",
    "blanked_contact",
  ],
};
