import type { RequestHandler } from "express";
import { listedPlans, type PlanShown } from "../../accounts/plans/plans.ts";
import { PREVIEWS_PER_DAY } from "../../accounts/usage/quota.ts";
import { FEEDS } from "../../feeds/catalogue.ts";
import type { EntryContext } from "../../platform/context.ts";
import { countOf, shownCount } from "../../platform/plural.ts";
import { sendSitePage } from "../frame/frame.ts";
import { linkTo } from "../frame/links.ts";
import { type Html, html } from "../kit/html.ts";
import { readNowAndThen } from "./live-numbers.ts";
import { wayIn } from "./way-in.ts";

/** GET /pricing: the plans that the operator lists, in words. */
export function pricingPage(context: EntryContext): RequestHandler {
  const plans = readNowAndThen(
    context,
    () => listedPlans(context),
    "The prices show no plans: they could not be read.",
  );
  return async (_request, response) => {
    const listed = (await plans()) ?? [];
    sendSitePage(context, response, "wide", {
      title: "Pricing",
      description: "The plans of Trucking Data Feed: feeds, states, rows a month, API and webhooks.",
      here: "/pricing",
      body: html`<h1>Pricing</h1>
${listed.length === 0 ? html`<p>Plans are on request: tell us which feeds and states you need.</p>` : planCards(context, listed)}
<h2>What counts as a row</h2>
<p>A record or an event that an answer has is a row, and so is a page of a carrier's timeline. Each watched carrier is a row a month.
Looking at rows and companies in the dashboard is free, up to ${PREVIEWS_PER_DAY} pages a day for the account. Counts are free, and so are answers
that have not changed. The same file costs its rows once a month, in whatever format. <a href="${linkTo(context, "/docs/quotas")}">Quotas and costs</a> has the details.</p>
${listed.length === 0 && html`<p class="row">${wayIn(context)}</p>`}`,
    });
  };
}

const planCards = (context: EntryContext, plans: readonly PlanShown[]): Html => html`<div class="ways">
${plans.map(
  (plan) => html`<section class="card" aria-labelledby="plan-${plan.code}">
<h2 id="plan-${plan.code}">${plan.name}</h2>
<p class="value">${plan.price ?? "Price on request"}</p>
${plan.description && html`<p>${plan.description}</p>`}
<ul>
${planLines(context, plan).map((line) => html`<li>${line}</li>\n`)}</ul>
<p class="row">${wayIn(context, plan)}</p>
</section>
`,
)}</div>`;

/** What a plan has, a sentence each. */
const planLines = (context: EntryContext, plan: PlanShown): (Html | string)[] => [
  ...feedLines(context, plan),
  plan.rows_per_month === 0
    ? "Rows to look at in the dashboard; none to download"
    : `${countOf(plan.rows_per_month, "row")} a month`,
  ...(plan.api_access
    ? [
        `API, webhooks and tools for AI agents: ${countOf(plan.requests_per_minute, "request")} a minute for each key`,
      ]
    : ["Dashboard only: no API and no webhooks"]),
  ...(plan.rows_per_month === 0
    ? []
    : [`CSV, NDJSON and Parquet: ${countOf(plan.concurrent_exports, "export")} at once for each key`]),
  plan.watched_carriers === 0
    ? "No watchlists"
    : `${shownCount(plan.watched_carriers)} carriers on watchlists`,
];

/** The feeds in the order of the contract, each with its states. */
const feedLines = (context: EntryContext, { feeds }: PlanShown): Html[] =>
  FEEDS.filter(({ code }) => code in feeds).map(({ code, name }) => {
    const states = feeds[code] ?? null;
    return html`<a href="${linkTo(context, `/feeds/${code}`)}">${name}</a>, ${states === null ? "every state" : states.join(", ")}`;
  });
