/** The sender of a request and the limits of the account's plan. Read again for every request. */
export interface Caller {
  accountId: number;
  keyId: string;
  planCode: string;
  /** Printed in every CSV export of the account. */
  licenceRef: string;
  hasApiAccess: boolean;
  requestsPerMinute: number;
  rowsPerMonth: number;
  /** Exports that a key may run at once. */
  concurrentExports: number;
  /** Feeds of the plan → regions (sorted state codes), null = every state. */
  feeds: ReadonlyMap<string, readonly string[] | null>;
  /** The number of removals when these feeds or their regions changed last. */
  feedsNumber: number;
  /** Only for a request that is answered right after its admission: later it would be out of date. */
  snapshot?: Snapshot;
  /** A HEAD request: it receives no rows, so none are charged or counted. */
  isHead?: boolean;
  /** Told of each charge of the request. */
  onCharge?: (charged: Charged) => void;
}

/** Rows that a request was charged. */
export interface Charged {
  /** Of a HEAD request: those that GET would be charged. */
  rows: number;
  /** Rows that the account has used in the month since then; absent when the admission of the request read them. */
  quotaUsed?: number;
}

/** A key's current minute, as the X-RateLimit headers show it. */
export interface RateState {
  limit: number;
  remaining: number;
  /** Unix time in seconds when the minute ends. */
  resetAtSeconds: number;
}

/** The rows of an account's month (UTC), as the X-Quota headers show them. */
export interface QuotaState {
  /** Rows that the plan gives. */
  limit: number;
  used: number;
  /** Unix time in seconds when the month ends. */
  resetAtSeconds: number;
}

/** What the statement that admitted a request read besides. Equal texts stand for equal states. */
export interface Snapshot {
  /** The feeds of the plan with their regions. */
  feeds: string;
  /** The versions of the feeds and the state of the removal list. src/feeds reads it. */
  served: string;
}

/** Rows that a request gets if the snapshot is still the same. */
export interface KnownRows {
  rows: number;
  snapshot: Snapshot;
}
