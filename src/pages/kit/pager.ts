import { type Html, html } from "./html.ts";

/** Links to the neighbours of a part of a long list. Nothing when there are none. */
export const pager = ({
  newest,
  older,
}: {
  /** The address of the first part, when another one is shown. */
  newest?: { href: string; name: string } | false | null;
  older?: { href: string; name: string } | false | null;
}): Html | null =>
  newest || older
    ? html`<nav class="pager" aria-label="Pages">
${newest && html`<a class="button quiet" href="${newest.href}">← ${newest.name}</a>`}
${older && html`<a class="button quiet" href="${older.href}">${older.name} →</a>`}
</nav>
`
    : null;
