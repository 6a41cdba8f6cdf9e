import { type Html, html } from "./html.ts";

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
