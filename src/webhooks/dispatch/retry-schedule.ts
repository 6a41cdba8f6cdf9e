import { DAY_MS } from "../../platform/clock.ts";

const LONGEST_JITTER_MS = 30_000;

/** A receiver may not put a delivery off for longer. */
const LONGEST_RETRY_AFTER_MS = DAY_MS;

/**
 * When a delivery is due again after a failed attempt; null when the schedule is used up. It is never early, and up to 10%
 * (at most 30 s) late, so that deliveries that failed together do not come back together.
 * `retryAfter`, of an endpoint that honours it, makes it later than the schedule, by at most a day after the failure, and
 * never earlier.
 */
export function retryDueAt(
  retrySeconds: readonly number[],
  {
    failuresBefore,
    failedAt,
    retryAfter,
  }: { failuresBefore: number; failedAt: Date; retryAfter?: string | undefined },
): Date | null {
  const seconds = retrySeconds[failuresBefore];
  if (seconds === undefined) return null;
  const delayMs = Math.max(seconds * 1000, askedDelayMs(retryAfter, failedAt));
  const jitterMs = Math.random() * Math.min(delayMs / 10, LONGEST_JITTER_MS);
  return new Date(failedAt.getTime() + delayMs + jitterMs);
}

/** The delay that Retry-After asks for, in seconds or as a date; 0 for any other text. */
function askedDelayMs(retryAfter: string | undefined, failedAt: Date): number {
  if (retryAfter === undefined) return 0;
  const text = retryAfter.trim();
  const asked = /^\d+$/.test(text)
    ? Number(text) * 1000
    : HTTP_DATE.test(text)
      ? Date.parse(text) - failedAt.getTime()
      : 0;
  return Number.isNaN(asked) ? 0 : Math.min(asked, LONGEST_RETRY_AFTER_MS);
}

const HTTP_DATE = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;
