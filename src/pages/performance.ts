import { readFileSync } from "node:fs";
import type { RequestHandler } from "express";
import type { EntryContext } from "../platform/context.ts";
import { sendSitePage } from "./frame/frame.ts";
import { renderMarkdown } from "./guides/markdown.ts";
import { type Html, html } from "./kit/html.ts";

/** Written from the last runs by `npm run generate:figures`. */
const FIGURES = new URL("../../docs/performance/figures.md", import.meta.url);

/** GET /docs/performance: how fast this program is, how that was measured, and how to repeat it. */
export function performancePage(context: EntryContext): RequestHandler {
  let body: Html | undefined;
  return (_request, response) => {
    body ??= html`<div class="figures">${renderMarkdown(context, readFileSync(FIGURES, "utf8")).body}</div>`;
    sendSitePage(context, response, "wide", {
      title: "Performance",
      description: "How fast the service is, measured against the least that the same machine needs.",
      body,
    });
  };
}
