const LONGEST_JITTER_MS = 30_000;

/**
 * When a delivery is due again after a failed attempt, never before its step of the schedule is over and up to 10 % (at
 * most 30 s) after it, so that what failed together does not come back together. Null when all steps are used.
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
