import { dayNumber, dayOf } from "../platform/clock.ts";
import type { Context } from "../platform/context.ts";

/** How many days old the registry's data may be and still be served: a long weekend, on which it records nothing, passes. */
export const FRESHNESS_DAYS = 5;

/** Retry-After of an answer that is refused because its data is stale: longer than an import takes. */
export const STALE_RETRY_AFTER_SECONDS = 600;

/** Whether data as of the registry's day `asOf` may be served today (UTC). */
export const isFresh = ({ clock }: Pick<Context, "clock">, asOf: string): boolean =>
  dayNumber(dayOf(clock.now())) - dayNumber(asOf) <= FRESHNESS_DAYS;
