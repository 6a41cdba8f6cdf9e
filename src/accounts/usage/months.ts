/** First day of an instant's month (UTC), as YYYY-MM-DD. */
export const monthStartOf = (instant: Date): string => `${instant.toISOString().slice(0, 7)}-01`;

/** Whole seconds until the next month (UTC) begins, at least 1. */
export function secondsToNextMonth(instant: Date): number {
  const next = Date.UTC(instant.getUTCFullYear(), instant.getUTCMonth() + 1, 1);
  return Math.max(1, Math.ceil((next - instant.getTime()) / 1000));
}
