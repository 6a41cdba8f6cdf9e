import type { RequestHandler } from "express";
import { eventTypeLabel } from "../../events/event-types.ts";
import type { DayOfEvents } from "../../events/newest.ts";
import { feedOf } from "../../feeds/catalogue.ts";
import type { PublishedFeedShown } from "../../feeds/versions/feeds-list.ts";
import { dayOf } from "../../platform/clock.ts";
import type { EntryContext } from "../../platform/context.ts";
import { shownCount } from "../../platform/plural.ts";
import { shownDate } from "../../platform/shown-day.ts";
import { demoKeyFor } from "../frame/demo-key-for.ts";
import { sendSitePage } from "../frame/frame.ts";
import { linkTo } from "../frame/links.ts";
import { freshnessBadge } from "../kit/badge.ts";
import { cards } from "../kit/card.ts";
import { codeBlock } from "../kit/code-block.ts";
import { type Html, html } from "../kit/html.ts";
import { table } from "../kit/table.ts";
import { firstCall } from "./first-call.ts";
import type { LiveNumbers } from "./live-numbers.ts";
import { wayIn } from "./way-in.ts";
import { forWhom, inSync, trust } from "./why.ts";

const WHAT_IT_IS =
  "One API tells which US trucking companies got, lost or are about to lose their operating authority or insurance.";

/** GET /: what the product is, its live numbers, a first call, and the ways in. It answers without a database, too. */
export function frontPage(
  context: EntryContext,
  liveNumbers: () => Promise<LiveNumbers | null>,
): RequestHandler {
  return async (request, response) => {
    const numbers = await liveNumbers();
    const demoKey = await demoKeyFor(context, request);
    sendSitePage(context, response, "wide", {
      title: "Live data of US trucking companies",
      description: `${WHAT_IT_IS} Compiled from the official registry; as JSON, CSV, events and signed webhooks.`,
      body: html`<div class="pair hero">
${hero(context)}
${numbers && liveFeeds(context, numbers.feeds)}
</div>
${forWhom(context, numbers?.feeds)}
${numbers?.events && newestEvents(context, numbers.events)}
${await firstCall(context, demoKey)}
${inSync(context)}
${trust(context)}
${integrate(context)}
${demoKey !== null && runIt}`,
    });
  };
}

const hero = (context: EntryContext): Html => html`<div>
<h1>Know which US trucking companies may haul today</h1>
<p>${WHAT_IT_IS} It is compiled from the official registry of the FMCSA. Each record says when its status was last verified.</p>
<p class="row">${wayIn(context)}
<a class="button quiet" href="${linkTo(context, "/pricing")}">See the plans</a></p>
</div>`;

const liveFeeds = (
  context: EntryContext,
  feeds: readonly PublishedFeedShown[],
): Html => html`<section aria-labelledby="feeds">
<h2 id="feeds">The feeds, now</h2>
${table({
  label: "Feeds",
  rowsAreCards: true,
  rows: feeds,
  columns: [
    {
      head: "Feed",
      cell: ({ feed }) =>
        html`<a href="${linkTo(context, `/feeds/${feed}`)}">${feedOf(feed)?.name ?? feed}</a>`,
    },
    { head: "Rows", cell: ({ rows }) => rows, isNumber: true },
    { head: "State", isStatus: true, cell: ({ state }) => freshnessBadge[state] },
    {
      head: "As of",
      cell: ({ as_of }) => as_of && html`<time>${as_of}</time>`,
      meaning: "The day of the registry that the rows are current to",
    },
  ],
})}
</section>`;

const newestEvents = (
  { clock }: EntryContext,
  { day, counts }: DayOfEvents,
): Html => html`<h2>Noticed on ${shownDate(day, dayOf(clock.now()))}</h2>
<div class="counts">
${cards(counts.map(({ type, count }) => ({ title: eventTypeLabel(type), value: shownCount(count) })))}</div>
<p>Follow such events by cursor, or receive them as signed webhooks.</p>`;

const integrate = (context: EntryContext): Html => {
  const link = (path: string, words: string) => html`<a href="${linkTo(context, path)}">${words}</a>`;
  return html`<h2>For programs</h2>
<ul>
<li>${link("/docs/start", "Guides")}, and a ${link("/docs", "reference")} to try each call</li>
<li>${link("/openapi.yaml", "openapi.yaml")}, the contract; ${link("/docs/sdk", "SDKs")} for TypeScript and Python</li>
<li>${link("/docs.md", "docs.md")} and ${link("/llms.txt", "llms.txt")} for programs that read</li>
<li>${link("/problems", "What each error means")}, and ${link("/docs/performance", "how fast it is")}</li>
</ul>`;
};

const runIt = html`<h2>Run it yourself</h2>
<p>This is a demo with made-up companies. One program and PostgreSQL are all it needs; in the repository, this starts it:</p>
${codeBlock({ id: "start", code: "npm ci && npm start", language: "bash" })}
<p>Then read <code>README.md</code> and <code>docs/operating/</code>.</p>`;
