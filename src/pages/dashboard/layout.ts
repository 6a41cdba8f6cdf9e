import type { Response } from "express";
import type { Session } from "../../accounts/sessions/sessions.ts";
import type { EntryContext } from "../../platform/context.ts";
import { type Html, html } from "../../platform/http/html.ts";

/** A page to send: what stands in its frame. */
export interface Page {
  status?: number;
  title: string;
  body: Html;
  /** Who is signed in; without, the page has no menu. */
  session?: Session;
  /** Which menu entry the page belongs to, by its path. */
  here?: string;
}

/** The parts of the dashboard, as the menu shows them. */
const MENU = [
  ["/", "Overview"],
  ["/keys", "API keys"],
  ["/usage", "Usage"],
  ["/feeds", "Feeds"],
  ["/events", "Events"],
  ["/webhooks", "Webhooks"],
] as const;

/** Where a page of the dashboard is, as a link: below the path of PUBLIC_URL, which a proxy in front may take off. */
export const placeOf = (context: EntryContext, path: string): string =>
  `${new URL(context.config.publicUrl).pathname.replace(/\/$/, "")}/dashboard${path === "/" ? "" : path}`;

/** The hidden field that every form of a session carries. */
export const formToken = (session: Session): Html =>
  html`<input type="hidden" name="form_token" value="${session.formToken}">`;

/** Sends a whole page. */
export function sendPage(context: EntryContext, response: Response, page: Page): void {
  response.status(page.status ?? 200).setHeader("Content-Type", "text/html; charset=utf-8");
  response.end(documentOf(context, page).text);
}

const documentOf = (context: EntryContext, { title, body, session, here }: Page): Html => html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} · Trucking Data Feed</title>
<link rel="stylesheet" href="${placeOf(context, "/dashboard.css")}">
<script src="${placeOf(context, "/dashboard.js")}" defer></script>
</head>
<body>
<a class="skip" href="#content">Skip to content</a>
<header>
<p class="brand"><a href="${placeOf(context, "/")}">Trucking Data Feed</a></p>
${session && menu(context, session, here)}
</header>
<main id="content">
${body}
</main>
<footer>
<a href="${placeOf(context, "").replace(/\/dashboard$/, "/docs")}">API documentation</a>
</footer>
</body>
</html>
`;

const menu = (
  context: EntryContext,
  session: Session,
  here: string | undefined,
): Html => html`<nav aria-label="Dashboard">
<ul class="menu">
${MENU.map(
  ([path, name]) =>
    html`<li><a href="${placeOf(context, path)}"${path === here && html` aria-current="page"`}>${name}</a></li>
`,
)}</ul>
</nav>
<form class="who" method="post" action="${placeOf(context, "/sign-out")}">
${formToken(session)}
<span>${session.accountName}</span>
<button class="quiet">Sign out</button>
</form>`;
