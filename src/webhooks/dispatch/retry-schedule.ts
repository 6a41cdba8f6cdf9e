const LONGEST_JITTER_MS = 30_000;

/**
 * When a delivery is due again after a failed attempt; null when the schedule is used up. It is never early, and up to 10 %
 * (at most 30 s) late, so that deliveries that failed together do not come back together.
 */
export function retryDueAt(
  retrySeconds: readonly number[],
  { failuresBefore, failedAt }: { failuresBefore: number; failedAt: Date },
): Date | null {
  const seconds = retrySeconds[failuresBefore];
  if (seconds === undefined) return null;
  const jitterMs = Math.random() * Math.min(seconds * 100, LONGEST_JITTER_MS);
  return new Date(failedAt.getTime() + seconds * 1000 + jitterMs);
}
