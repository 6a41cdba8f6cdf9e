import type { Request, Response } from "express";
import type { EntryContext } from "../platform/context.ts";
import { sendSitePage } from "./frame/frame.ts";
import { html } from "./kit/html.ts";

/** GET /: links to every other page. */
export function frontPage(context: EntryContext, _request: Request, response: Response): void {
  sendSitePage(context, response, "text", {
    title: "Trucking Data Feed",
    body: html`<h1>Trucking Data Feed</h1>
<p>Feeds and authority events of US trucking carriers, compiled from the official registry files.</p>
<ul>
<li><a href="dashboard">Dashboard</a> for customers: your keys, usage, feeds, events and webhooks</li>
<li><a href="docs">Reference</a></li>
<li>The contract: <a href="openapi.yaml">openapi.yaml</a>, <a href="openapi.json">openapi.json</a></li>
<li><a href="problems">Problems</a>: what each error code means</li>
<li><a href="docs/performance">Performance</a>: how fast the service is, and how to measure it</li>
<li><a href="remove">Have a business removed</a> from all feeds</li>
</ul>`,
  });
}
