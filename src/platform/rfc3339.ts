const FORM = /^(\d{4}-\d\d-\d\d)[Tt ](\d\d:\d\d):(\d\d)(?:\.(\d+))?(?:[Zz]|([+-])(\d\d):?(\d\d))$/;

/** The instant of an RFC 3339 time in milliseconds since 1970, rounded up, or null for any other text. */
export function instantMs(text: string): number | null {
  const [, day, minute, second, fraction = "", sign, hours = "0", minutes = "0"] = FORM.exec(text) ?? [];
  if (day === undefined) return null;
  // Computers do not count leap seconds: one means the second after it.
  const leapMs = second === "60" ? 1_000 : 0;
  const wholeMs = Date.parse(`${day}T${minute}:${leapMs ? "59" : second}Z`);
  const isDay = new Date(wholeMs || 0).toISOString().startsWith(`${day}T`);
  if (Number.isNaN(wholeMs) || !isDay || Number(hours) > 23 || Number(minutes) > 59) return null;
  const fractionMs = Number(fraction.slice(0, 3).padEnd(3, "0")) + (/[1-9]/.test(fraction.slice(3)) ? 1 : 0);
  const offsetMs = (Number(hours) * 60 + Number(minutes)) * 60_000 * (sign === "-" ? -1 : 1);
  return wholeMs + leapMs + fractionMs - offsetMs;
}
