import { type Html, html } from "./html.ts";
import { shownCount } from "./number.ts";

/** The width of the whole bar, in the units of the drawing. */
const WIDTH = 1000;

/**
 * A bar that is filled as far as a quota is used. Behind it stands how far it is expected to be filled at the end. `caption`
 * says the same in words.
 */
export function quotaBar({
  used,
  expected,
  limit,
  caption,
}: {
  used: number;
  expected: number | null;
  limit: number;
  caption: string;
}): Html {
  const widthOf = (amount: number) => Math.min(WIDTH, Math.round((WIDTH * amount) / Math.max(1, limit)));
  const tone = used >= limit ? "bad" : "accent";
  const behind = expected !== null && expected > limit ? "warn" : "soft";
  return html`<svg class="quota-bar" viewBox="0 0 ${WIDTH} 12" preserveAspectRatio="none" role="img" aria-label="${caption}">
<rect class="whole" width="${WIDTH}" height="12"/>
${expected !== null && html`<rect class="${behind}" width="${widthOf(expected)}" height="12"/>`}
<rect class="${tone}" width="${widthOf(used)}" height="12"/>
</svg>
<p class="legend"><span class="key ${tone}">used: ${shownCount(used)}</span>
${expected !== null && html`<span class="key ${behind}">expected at the end: ${shownCount(expected)}</span>`}
<span>left: ${shownCount(Math.max(0, limit - used))}</span></p>
`;
}
