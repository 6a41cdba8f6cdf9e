import type { Response } from "express";
import type { Session } from "../../accounts/sessions/sessions.ts";
import type { EntryContext } from "../../platform/context.ts";
import { brand, sendFramed, timeChoice } from "../frame/frame.ts";
import { dashboardLink, linkTo } from "../frame/links.ts";
import { type Html, html } from "../kit/html.ts";
import { type IconName, icon } from "../kit/icon.ts";

/** A page of the dashboard to send. */
export interface Page {
  status?: number;
  title: string;
  /** What the head of the page has besides what every page has. */
  head?: Html;
  body: Html;
  /** The session of the person who is signed in. A page without one has no menu. */
  session?: Session;
  /** The path of the menu entry that the page belongs to. */
  here?: string;
  /** The page itself searches for companies, so that the field above it is left out. */
  isSearch?: boolean;
}

/** A part of the dashboard in its menu. */
export type MenuEntry = readonly [path: string, name: string, icon: IconName];

/** The hidden field that every form of a session needs. */
export const formToken = (session: Session): Html =>
  html`<input type="hidden" name="form_token" value="${session.formToken}">`;

/** Sends a page of the dashboard. */
export function sendPage(context: EntryContext, response: Response, page: Page): void {
  const { session, here, isSearch = false, body, ...framed } = page;
  const main = html`<main id="content">
${body}
</main>`;
  sendFramed(context, response, "dashboard", {
    ...framed,
    body: html`${session === undefined ? signedOut(context, main) : signedIn(context, response.locals.menu, { session, here, isSearch, main })}
<footer class="page-foot">
<a href="${linkTo(context, "/docs/start")}">Guides</a>
<a href="${linkTo(context, "/docs")}">API reference</a>
<a href="${linkTo(context, "/changelog")}">Changelog</a>
${timeChoice}
</footer>`,
  });
}

const signedOut = (context: EntryContext, main: Html): Html => html`<header class="top">
${brand(linkTo(context, "/"))}
</header>
<div class="entrance">${main}</div>`;

const signedIn = (
  context: EntryContext,
  menu: readonly MenuEntry[],
  {
    session,
    here,
    isSearch,
    main,
  }: { session: Session; here: string | undefined; isSearch: boolean; main: Html },
): Html => html`<div class="shell">
<header class="side">
${brand(dashboardLink(context, "/"))}
<nav aria-label="Dashboard">
<ul>
${menu.map(
  ([path, name, picture]) =>
    html`<li><a href="${dashboardLink(context, path)}"${path === here && html` aria-current="page"`}>${icon(picture)}${name}</a></li>
`,
)}</ul>
</nav>
<form class="who" method="post" action="${dashboardLink(context, "/sign-out")}">
${formToken(session)}
<p>${session.accountName}<br>${session.person.email}</p>
${
  session.accounts > 1 &&
  html`<p><a href="${dashboardLink(context, "/accounts")}">Switch account</a></p>
`
}<button class="quiet small">Sign out</button>
</form>
</header>
<div>
${!isSearch && companySearch(context)}
${main}
</div>
</div>`;

const companySearch = (
  context: EntryContext,
): Html => html`<form class="search" method="get" action="${dashboardLink(context, "/carriers")}" role="search">
<input type="search" name="company" maxlength="${SOUGHT_CHARACTERS}" aria-label="Find a company by its name, USDOT or docket number" aria-keyshortcuts="/" placeholder="Name, USDOT or docket">
<button class="quiet" aria-label="Find company">Find</button>
</form>`;

/** The most characters of a name or number that a company is found by. */
export const SOUGHT_CHARACTERS = 120;
