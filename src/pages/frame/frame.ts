import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import type { Response } from "express";
import { Html, html } from "./html.ts";

const NAME = "Trucking Data Feed";

/** The style of every page. It is part of the page, and the page's policy allows it by its hash. */
const STYLE = new Html(readFileSync(new URL("page.css", import.meta.url), "utf8"));
const STYLE_SOURCE = `style-src 'sha256-${createHash("sha256").update(STYLE.text).digest("base64")}'`;

/** The kinds of pages, each with what a browser may do on it besides showing it. */
const ALLOWED = {
  /** A page to read. */
  text: ["form-action 'none'"],
  /** A form for anybody. */
  form: ["form-action 'self'"],
  /** A page of the dashboard: forms, and a script that fetches downloads. */
  dashboard: ["script-src 'self'", "img-src 'self'", "connect-src 'self'", "form-action 'self'"],
} as const;

export type PageKind = keyof typeof ALLOWED;

/** Nothing comes from another site, no script is written into a page, and no other site may show it in a frame. */
const policyOf = (kind: PageKind): string =>
  ["default-src 'none'", STYLE_SOURCE, ...ALLOWED[kind], "base-uri 'none'", "frame-ancestors 'none'"].join(
    "; ",
  );

export interface FramedPage {
  status?: number;
  title: string;
  body: Html;
  header?: Html;
  footer?: Html;
  /** The address of the page's script. */
  script?: string;
}

/** Sends a whole page for people, in the frame that all of them share. */
export function sendFramed(response: Response, kind: PageKind, page: FramedPage): void {
  response.status(page.status ?? 200).setHeader("Content-Security-Policy", policyOf(kind));
  response.setHeader("Content-Type", "text/html; charset=utf-8");
  response.end(documentOf(kind, page).text);
}

const documentOf = (
  kind: PageKind,
  { title, body, header, footer, script }: FramedPage,
): Html => html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title === NAME ? NAME : `${title} · ${NAME}`}</title>
<style>${STYLE}</style>
${script && html`<script src="${script}" defer></script>`}
</head>
<body class="${kind}">
${
  header &&
  html`<a class="skip" href="#content">Skip to content</a>
<header>
${header}
</header>`
}
<main id="content">
${body}
</main>
${
  footer &&
  html`<footer>
${footer}
</footer>`
}
</body>
</html>
`;
