import { createHash } from "node:crypto";
import type { Response } from "express";
import { escapeHtml } from "../platform/http/html.ts";

const STYLE = `body{font:16px/1.5 system-ui,sans-serif;max-width:46rem;margin:3rem auto;padding:0 1rem;color:#1b1f24}
code,pre{background:#f2f4f7;border-radius:4px;padding:.1rem .3rem}pre{padding:.8rem;overflow-x:auto}
a{color:#0b5cad}table{border-collapse:collapse}td,th{padding:.3rem .8rem .3rem 0;text-align:left;vertical-align:top}
@media(prefers-color-scheme:dark){body{background:#15181c;color:#e6e8eb}code,pre{background:#262b31}a{color:#7ab8ff}}`;

const styleHash = createHash("sha256").update(STYLE).digest("base64");
const POLICY = `default-src 'none'; style-src 'sha256-${styleHash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

/** Sends a page for people. `body` is HTML: whatever text it holds has gone through `escapeHtml`. */
export function sendPage(response: Response, status: number, title: string, body: string): void {
  response.status(status).setHeader("Content-Security-Policy", POLICY);
  response.setHeader("Content-Type", "text/html; charset=utf-8");
  response.end(`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<style>${STYLE}</style>
</head>
<body>
${body}
</body>
</html>
`);
}
