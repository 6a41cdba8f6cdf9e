/** The task of a generated client, as JSON in its first argument. */
export interface Trial {
  baseUrl: string;
  keys: { customer: string; planWithoutApi: string; spentMinute: string; spentQuota: string };
  /** A carrier of us_new_authority_weekly. */
  dot: string;
}

/** The client's results, printed as JSON: the same for every client. */
export interface Report {
  feeds: string[];
  /** USDOT numbers of all pages of two records. */
  walked: string[];
  /** USDOT numbers in two states, the list sent with a comma and by repeating the parameter. */
  byComma: string[];
  byRepeating: string[];
  /** USDOT numbers under several filters at once. */
  filtered: string[];
  entityTypes: ("broker" | "freight_forwarder")[];
  csvLines: string[];
  carrier: { usdot: string; feeds: string[]; events: number };
  rowsUsed: number;
  /** Status and code; for a 422 the locations of its errors. */
  errors: [status: number, what: string][];
  /** The life of a webhook endpoint, operation by operation. */
  webhook: { eventTypes: string[]; test: string; isRotated: boolean; isActiveAtLast: boolean };
}
