import { type Html, html } from "../../frame/html.ts";

/** A count with separators: 1,234. */
export const shownCount = (count: number): string => count.toLocaleString("en-US");

/** A time to the minute in UTC, with the exact time as its title. A dash for none. */
export function shownTime(iso: string | null | undefined): Html {
  if (!iso) return html`–`;
  return html`<time datetime="${iso}" title="${iso}">${iso.slice(0, 10)} ${iso.slice(11, 16)}</time>`;
}
