/** A time as a form's field of date and time gives it, which is one of UTC; null for what is none. */
export function instantOf(text: string): Date | null {
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?$/.test(text)) return null;
  const instant = new Date(`${text}Z`);
  return Number.isNaN(instant.getTime()) ? null : instant;
}
