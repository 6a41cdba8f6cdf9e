import { type Html, html } from "./html.ts";

/** Links to the neighbours of a part of a long list: `newest` leads back, `older` on. Nothing when there are none. */
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
${newest && html`<a class="button quiet" rel="prev" href="${newest.href}">← ${newest.name}</a>`}
${older && html`<a class="button quiet" rel="next" href="${older.href}">${older.name} →</a>`}
</nav>
`
    : null;

/** The link above a heading to the page that this one belongs to. */
export const backTo = (
  href: string,
  name: string,
): Html => html`<p class="back"><a href="${href}">${name}</a></p>
`;

/** Links between pages that belong together. The browser's back button works, and so does the page without a script. */
export const tabs = (
  label: string,
  pages: readonly { name: string; href: string; isHere: boolean }[],
): Html => html`<nav class="tabs" aria-label="${label}">
<ul>
${pages.map(
  ({
    name,
    href,
    isHere,
  }) => html`<li><a href="${href}"${isHere && html` aria-current="page"`}>${name}</a></li>
`,
)}</ul>
</nav>
`;
