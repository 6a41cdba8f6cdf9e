import { DAY_MS, dayNumber } from "../platform/clock.ts";
import type { Context } from "../platform/context.ts";

/** Maximum age in days of data that is served: more than a long weekend, on which the registry records nothing. */
export const FRESHNESS_DAYS = 5;

/** Retry-After when data is stale: longer than an import takes. */
export const STALE_RETRY_AFTER_SECONDS = 600;

/** From when on data as of `asOf` are stale: the days after it are counted in UTC. */
export const staleFrom = (asOf: string): Date => new Date((dayNumber(asOf) + FRESHNESS_DAYS + 1) * DAY_MS);

/**
 * Whether data as of `asOf` may be served now. The registry of test mode has a fixed day: it is stale only when a request asks
 * for that.
 */
export const isFresh = (
  { clock, live, situation }: Pick<Context, "clock" | "live" | "situation">,
  asOf: string,
): boolean => (live === undefined ? clock.now() < staleFrom(asOf) : situation !== "stale_data");
