import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import type { Response } from "express";
import { Html, html } from "../../platform/http/html.ts";

const STYLE = new Html(readFileSync(new URL("removal-page.css", import.meta.url), "utf8"));

// No script, nothing from elsewhere, no other site's frame; the form goes to this service alone.
const POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash("sha256").update(STYLE.text).digest("base64")}'`,
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join("; ");

/** Sends a page of /remove. */
export function sendPage(
  response: Response,
  { status, title, body }: { status: number; title: string; body: Html },
): void {
  response.status(status).setHeader("Content-Type", "text/html; charset=utf-8");
  response.setHeader("Content-Security-Policy", POLICY);
  response.setHeader("Referrer-Policy", "no-referrer");
  response.end(documentOf(title, body).text);
}

const documentOf = (title: string, body: Html): Html => html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · Trucking Data Feed</title>
<style>${STYLE}</style>
</head>
<body>
<main>
${body}
</main>
<footer>
Programs use <code>POST /v1/opt-out</code>: see the <a href="docs">reference</a>.
</footer>
</body>
</html>
`;
