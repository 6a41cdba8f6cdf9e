export const DOT = "4300001";

/** The tools with good arguments, the same request over HTTP, and how many rows that is. */
export const GOOD: [tool: string, args: Record<string, unknown>, path: string, rows: number][] = [
  ["list_feeds", {}, "/v1/feeds", 0],
  ["read_records", { code: "us_brokers" }, "/v1/feeds/us_brokers/records?page_size=10", 10],
  [
    "read_records",
    {
      code: "us_new_authority_weekly",
      state: ["TX", "CA"],
      trucks_min: 4,
      trucks_max: 20,
      granted_since: "2025-11-01",
      min_days_in_business: 1,
      max_days_in_business: 400,
      general_freight: true,
      has_cell: false,
      time_zone: "Mountain",
      page_size: 50,
    },
    "/v1/feeds/us_new_authority_weekly/records?state=TX,CA&trucks_min=4&trucks_max=20&granted_since=2025-11-01" +
      "&min_days_in_business=1&max_days_in_business=400&general_freight=true&has_cell=false&time_zone=Mountain" +
      "&page_size=50",
    1,
  ],
  [
    "read_records",
    { code: "us_brokers", entity_type: "freight_forwarder", page: 2, page_size: 3 },
    "/v1/feeds/us_brokers/records?entity_type=freight_forwarder&page=2&page_size=3",
    3,
  ],
  [
    "read_records",
    { code: "us_small_carriers_active", phone_type: "mobile", page_size: 5 },
    "/v1/feeds/us_small_carriers_active/records?phone_type=mobile&page_size=5",
    5,
  ],
  ["look_up_carrier", { dot: DOT }, `/v1/carriers/${DOT}`, 5],
  ["read_events", {}, "/v1/events?limit=20", 20],
  [
    "read_events",
    { type: ["new_authority_granted"], state: ["TX"], since: "2026-11-20T00:00:00Z", limit: 100 },
    "/v1/events?type=new_authority_granted&state=TX&since=2026-11-20T00:00:00Z&limit=100",
    30,
  ],
  ["list_webhooks", {}, "/v1/webhooks", 0],
];

/** What is wrong, and how the answer tells it. */
export const BAD: [tool: string, args: Record<string, unknown>, code: string, says: string][] = [
  ["list_feeds", { country: "US" }, "invalid_arguments", "country is not known here"],
  ["read_records", {}, "invalid_arguments", "code is missing"],
  [
    "read_records",
    { code: "eu_brokers" },
    "invalid_arguments",
    "code must be one of us_new_authority_weekly",
  ],
  [
    "read_records",
    { code: "us_brokers", page_size: 51 },
    "invalid_arguments",
    "page_size must be at most 50",
  ],
  ["read_records", { code: "us_brokers", page: "two" }, "invalid_arguments", "page must be a whole number"],
  [
    "read_records",
    { code: "us_brokers", since: "2026-11-20" },
    "invalid_arguments",
    "since is not known here",
  ],
  ["read_records", { code: "us_brokers", state: { a: 1 } }, "invalid_arguments", "state must be a list"],
  ["read_records", { code: "us_brokers", granted_since: "soon" }, "invalid_arguments", "must be a date like"],
  ["read_records", { code: "us_brokers", state: ["ZZ"] }, "invalid_filter", '"ZZ" is not a US state code'],
  [
    "read_records",
    { code: "us_brokers", trucks_min: 1 },
    "invalid_filter",
    // It named arguments that the tool refuses.
    '"trucks_min" is not allowed on us_brokers. Allowed filters are state, granted_since, min_days_in_business, max_days_in_business, has_cell, entity_type, exclude_individuals, insurer, insurer_is, out_of_service, cancellation_before.',
  ],
  ["read_records", { code: "us_brokers", version: 99_999 }, "invalid_filter", "99999"],
  ["read_records", { code: "us_brokers", time_zone: "Mars" }, "invalid_filter", "time_zone"],
  ["look_up_carrier", { dot: "12345x" }, "invalid_arguments", "dot must be 1 to 8 digits"],
  // They named "query" and "body", which are no arguments.
  ["search_carriers", {}, "invalid_arguments", "fit: the call must have either name or docket."],
  ["look_up_carriers", {}, "invalid_arguments", "fit: the call must have a number in usdots or dockets."],
  ["look_up_carrier", { dot: "99999999" }, "not_found", "USDOT number 99999999"],
  ["read_events", { cursor: "of-another" }, "invalid_arguments", "cursor must be next_cursor"],
  ["read_events", { limit: 101 }, "invalid_arguments", "limit must be at most 100"],
  ["read_events", { type: ["sold"] }, "invalid_arguments", "type.0 must be one of new_authority_granted"],
  ["read_events", { state: ["ZZ"] }, "invalid_arguments", "state.0 must be a US state code"],
  ["read_usage", { month: "2026-10" }, "invalid_arguments", "month is not known here"],
  ["list_webhooks", { limit: 1 }, "invalid_arguments", "limit is not known here"],
];
