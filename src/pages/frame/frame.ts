import type { Response } from "express";
import type { EntryContext } from "../../platform/context.ts";
import { type Html, html } from "../kit/html.ts";
import { withRelativeTimes } from "../kit/time.ts";
import { type Asset, assetLink } from "./assets.ts";
import { linkTo } from "./links.ts";
import { OPERATORS_PAGES } from "./operators-texts.ts";

export const PRODUCT = "Trucking Data Feed";

/** The kinds of pages, each with what a browser may do on it besides showing it. */
const ALLOWED = {
  /** A page to read. */
  text: ["form-action 'none'"],
  /** The same with more room, for tables and code side by side. */
  wide: ["form-action 'none'"],
  /** A form for anybody. */
  form: ["form-action 'self'"],
  /** A page of the dashboard: forms, and a script that fetches downloads. */
  dashboard: ["connect-src 'self'", "form-action 'self'"],
  /** The operator's page. */
  admin: ["form-action 'self'"],
  /** The reference: its script writes styles into the page and sends the requests that are tried. */
  reference: ["connect-src 'self'", "form-action 'none'"],
} as const;

export type PageKind = keyof typeof ALLOWED;

/**
 * Nothing comes from another site, no script is written into a page, nor a style but on the reference, and no other site may
 * frame it.
 */
const policyOf = (kind: PageKind): string =>
  [
    "default-src 'none'",
    kind === "reference" ? "style-src 'self' 'unsafe-inline'" : "style-src 'self'",
    "script-src 'self'",
    "img-src 'self' data:",
    ...ALLOWED[kind],
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join("; ");

export interface FramedPage {
  status?: number;
  title: string;
  /** Text below the title in the results of search engines. */
  description?: string;
  /** What the head has besides the title, the style and the script of every page. */
  head?: Html;
  /** Replaces the stylesheet of every page. */
  style?: Asset;
  /** Everything in the body of the page, with its own `main`. */
  body: Html;
}

/**
 * Sends a whole page for people, with the style and the script that all of them share. A browser shows it when it has read all
 * of it: columns and tables would move with each part.
 */
export function sendFramed(
  context: EntryContext,
  response: Response,
  kind: PageKind,
  { status, title, description, head, style, body }: FramedPage,
): void {
  response.status(status ?? 200).setHeader("Content-Security-Policy", policyOf(kind));
  response.setHeader("Content-Type", "text/html; charset=utf-8");
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title === PRODUCT ? PRODUCT : `${title} · ${PRODUCT}`}</title>
${
  description &&
  html`<meta name="description" content="${description}">
`
}<link rel="expect" href="#page-end" blocking="render">
<link rel="icon" href="${ICON}">
<link rel="stylesheet" href="${assetLink(context, style ?? "page.css")}">
<script src="${assetLink(context, "page.js")}" defer></script>
${head}</head>
<body class="${kind}">
<a class="skip" href="#content">Skip to content</a>
${body}
<span id="page-end" hidden></span>
</body>
</html>
`;
  response.end(withRelativeTimes(page.text, context.clock.now()));
}

const MARK = "M2 6h11v9H2zM14 9h4l4 4v2h-8zM4 17a2 2 0 1 0 4 0zM16 17a2 2 0 1 0 4 0z";
const ICON = `data:image/svg+xml,${encodeURIComponent(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" fill="#1257b0"><path d="${MARK}"/></svg>`)}`;

/** The product's mark and name, as a link. */
export const brand = (href: string): Html =>
  html`<a class="brand" href="${href}"><svg viewBox="0 0 24 24" aria-hidden="true"><path d="${MARK}"/></svg>${PRODUCT}</a>`;

/** What a time is shown in, and the reader's choice. Without the script, times are UTC. */
export const timeChoice = html`<p class="time-choice">Times are UTC.</p>`;

export interface SitePage extends FramedPage {
  /** The path of the menu entry that the page belongs to. */
  here?: string;
}

const MENU = [
  ["/feeds", "Feeds"],
  ["/pricing", "Pricing"],
  ["/docs/start", "Docs"],
  ["/changelog", "Changelog"],
  ["/status", "Status"],
] as const;

/** Sends a page that anybody may see, with the menu of the site. */
export function sendSitePage(
  context: EntryContext,
  response: Response,
  kind: "text" | "wide" | "form",
  { here, body, ...page }: SitePage,
): void {
  sendFramed(context, response, kind, {
    ...page,
    body: html`${siteHeader(context, here)}
<main id="content">
${body}
</main>
${siteFooter(context)}`,
  });
}

/** The bar above every page that anybody may see. */
export const siteHeader = (context: EntryContext, here?: string): Html => html`<header class="top">
${brand(linkTo(context, "/"))}
<nav aria-label="Site">
<ul>
${MENU.map(
  ([path, name]) =>
    html`<li><a href="${linkTo(context, path)}"${path === here && html` aria-current="page"`}>${name}</a></li>
`,
)}</ul>
</nav>
<a class="button end" href="${linkTo(context, "/dashboard")}">Sign in</a>
</header>`;

const siteFooter = (context: EntryContext): Html => html`<footer class="page-foot">
<a href="${linkTo(context, "/docs")}">API reference</a>
<a href="${linkTo(context, "/openapi.yaml")}">openapi.yaml</a>
<a href="${linkTo(context, "/docs.md")}">docs.md</a>
<a href="${linkTo(context, "/llms.txt")}">llms.txt</a>
<a href="${linkTo(context, "/problems")}">Problems</a>
<a href="${linkTo(context, "/docs/performance")}">Performance</a>
<a href="${linkTo(context, "/remove")}">Remove a business</a>
${OPERATORS_PAGES.map(
  ([path, name, setting]) =>
    context.config[setting] !== null &&
    html`<a href="${linkTo(context, path)}">${name}</a>
`,
)}${context.config.contactEmail && html`<a href="mailto:${context.config.contactEmail}">${context.config.contactEmail}</a>`}
${timeChoice}
</footer>`;
