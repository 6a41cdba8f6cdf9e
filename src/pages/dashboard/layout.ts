import type { Response } from "express";
import type { Session } from "../../accounts/sessions/sessions.ts";
import type { EntryContext } from "../../platform/context.ts";
import { sendFramed } from "../frame/frame.ts";
import { type Html, html } from "../frame/html.ts";

/** A page of the dashboard to send. */
export interface Page {
  status?: number;
  title: string;
  body: Html;
  /** The session of the person who is signed in. A page without one has no menu. */
  session?: Session;
  /** The path of the menu entry that the page belongs to. */
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

/** The link to a page of the dashboard. It begins with the path of PUBLIC_URL, which a proxy in front may strip. */
export const placeOf = (context: EntryContext, path: string): string =>
  `${new URL(context.config.publicUrl).pathname.replace(/\/$/, "")}/dashboard${path === "/" ? "" : path}`;

/** The hidden field that every form of a session needs. */
export const formToken = (session: Session): Html =>
  html`<input type="hidden" name="form_token" value="${session.formToken}">`;

/** Sends a page of the dashboard. */
export function sendPage(context: EntryContext, response: Response, page: Page): void {
  const { session, here, ...framed } = page;
  sendFramed(response, "dashboard", {
    ...framed,
    script: placeOf(context, "/dashboard.js"),
    header: html`<p class="brand"><a href="${placeOf(context, "/")}">Trucking Data Feed</a></p>
${session && menu(context, session, here)}`,
    footer: html`<a href="${placeOf(context, "").replace(/\/dashboard$/, "/docs")}">API documentation</a>`,
  });
}

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
