/**
 * What a request with a test key may ask to be answered under, by the header X-Test-Situation, with the words of the guide. The
 * code that refuses or limits such a request is that of live ones.
 */
export const TEST_SITUATIONS = {
  no_api_access: "Your plan has no API access.",
  brokers_in_texas: "You are another account, whose plan has only the brokers of Texas.",
  no_rows: "Your plan has no rows, so that each answer with rows is 429 `quota_exceeded`.",
  no_watching: "Your plan lets you watch no carrier.",
  minute_used_up: "Your key has used up the requests of its minute.",
  limits_reached: "Your account has as many keys, active endpoints and watchlists as it may.",
  stale_data: "The data of every feed, and the events, are too old to be served.",
  feeds_not_live: "No feed was published yet.",
} as const;

export type TestSituation = keyof typeof TEST_SITUATIONS;

export const TEST_SITUATION_NAMES = Object.keys(TEST_SITUATIONS) as readonly TestSituation[];

/** The situation of a context: live requests never have one. */
interface Situated {
  situation?: TestSituation;
}

/** How many of something an account may have: `most`, or none more when a test request asks for that. */
export const mostIn = ({ situation }: Situated, most: number): number =>
  situation === "limits_reached" ? 0 : most;
