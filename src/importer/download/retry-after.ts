/** Milliseconds that a Retry-After header asks for, as seconds or as a date (RFC 9110 10.2.3); null when it says nothing. */
export function retryAfterMs(header: string | null, now: Date): number | null {
  const text = header?.trim() ?? "";
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000;
  const date = /^[A-Z][a-z]{2},? /.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? null : Math.max(0, date - now.getTime());
}
