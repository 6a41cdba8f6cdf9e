/** Who sends a request, and what the account's plan lets it do. Read anew for every request. */
export interface Caller {
  accountId: number;
  keyId: string;
  planCode: string;
  /** Stands in every CSV export of the account. */
  licenceRef: string;
  hasApiAccess: boolean;
  requestsPerMinute: number;
  rowsPerMonth: number;
  /** Exports that a key may run at once. */
  concurrentExports: number;
  /** Feeds of the plan → regions (sorted state codes), null = every state. */
  feeds: ReadonlyMap<string, readonly string[] | null>;
  /** Asks by HEAD: receives no rows, so none are charged or counted. */
  isHead?: boolean;
}

/** How a key stands in its current minute: what the X-RateLimit headers say. */
export interface RateState {
  limit: number;
  remaining: number;
  /** Unix time in seconds when the minute ends. */
  resetAtSeconds: number;
}
