import type { IRouter, RequestHandler } from "express";
import { routePage } from "../api/routes.ts";
import type { EntryContext } from "../platform/context.ts";
import { type PublicStatus, publicStatus } from "../watch/public-status.ts";
import { sendSitePage } from "./frame/frame.ts";
import { linkTo } from "./frame/links.ts";
import { servedBadge } from "./kit/badge.ts";
import { type Html, html } from "./kit/html.ts";
import { verdict } from "./kit/notice.ts";
import { table } from "./kit/table.ts";
import { shownTime } from "./kit/time.ts";

/** Routes what anybody may know of the service, as a page and as JSON. /healthz and /readyz tell of one process instead. */
export function routeStatus(app: IRouter, context: EntryContext): void {
  routePage(app, context, "/status", "status", async (_request, response) => {
    sendSitePage(context, response, "text", {
      title: "Status",
      here: "/status",
      description: "Which feeds are served now, and since when.",
      body: statusPage(context, await publicStatus(context)),
    });
  });
  const answerJson: RequestHandler = async (_request, response) => {
    response.setHeader("Content-Type", "application/json");
    response.end(`${JSON.stringify(await publicStatus(context))}\n`);
  };
  routePage(app, context, "/status.json", "status", answerJson, { isOpen: true });
}

const VERDICTS = {
  served: { grade: "good", text: "Every feed is served." },
  partly_served: { grade: "warn", text: "Some feeds are not served at the moment." },
  not_served: { grade: "bad", text: "No feed is served at the moment." },
} as const;

const statusPage = (context: EntryContext, { status, feeds }: PublicStatus): Html => html`<h1>Status</h1>
${verdict(VERDICTS[status].grade, VERDICTS[status].text)}
${table({
  label: "Feeds",
  rowsAreCards: true,
  columns: [
    { head: "Feed", cell: ({ feed, name }) => html`${name}<br><code>${feed}</code>` },
    {
      head: "State",
      isStatus: true,
      cell: ({ served, as_of }) => servedBadge(served, as_of),
    },
    { head: "Since", cell: ({ since }) => since && shownTime(since) },
    {
      head: "As of",
      meaning: "The day of the registry that the rows are current to",
      cell: ({ as_of }) => as_of && html`<time>${as_of}</time>`,
    },
  ],
  rows: feeds,
})}
<p>A fresh feed is served, in this version since that time. A stale feed is too old to be relied on: it answers <a href="${linkTo(context, "/problems/stale_source")}"><code>stale_source</code></a>
until newer registry files are imported.</p>
<p class="hint">Programs read <a href="${linkTo(context, "/status.json")}">status.json</a>.</p>`;
