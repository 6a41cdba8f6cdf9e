import { pipeline } from "node:stream/promises";
import type { Request } from "express";
import { callerOfAccount } from "../../../accounts/keys/account-caller.ts";
import type { Caller } from "../../../accounts/keys/caller.ts";
import { type Feed, type FilterName, feedOf } from "../../../feeds/catalogue.ts";
import { exportFeed } from "../../../feeds/export/export.ts";
import { listFeeds } from "../../../feeds/feeds-list.ts";
import { type FeedQuery, previewRecords } from "../../../feeds/records/records.ts";
import type { components } from "../../../generated/types.ts";
import type { EntryContext } from "../../../platform/context.ts";
import { ProblemError } from "../../../platform/http/problem.ts";
import { countOf } from "../../../platform/plural.ts";
import { dashboardLink } from "../../frame/links.ts";
import { type Html, html } from "../../kit/html.ts";
import type { Routes } from "../dashboard.ts";
import { sendPage } from "../layout.ts";
import { filterField } from "../parts/filter-fields.ts";
import { queryOf } from "../parts/form-fields.ts";
import { noApiAccess, type PlanShown } from "../parts/plan-note.ts";
import { recordTable } from "../parts/record-table.ts";
import { problemOf, type ShownProblem } from "../problem-page.ts";

const PREVIEW_ROWS = 20;

/** Routes the list of feeds, and for each feed a preview with filters, the same request with curl, and the CSV. */
export const feedRoutes: Routes = (router, context, guard) => {
  router.get(
    "/feeds",
    guard(async (_request, response, session) => {
      const plan = await callerOfAccount(context, session.accountId);
      const feeds = await listFeeds(context, plan);
      const body = html`<h1>Feeds</h1>
${noApiAccess(context, plan)}
${feeds.data.length === 0 ? html`<p>Your plan includes no feed.</p>` : feedTable(context, feeds.data)}`;
      sendPage(context, response, { title: "Feeds", body, session, here: "/feeds" });
    }),
  );
  router.get(
    "/feeds/:code",
    guard(async (request, response, session) => {
      const code = String(request.params.code);
      const feed = feedOf(code);
      const caller = await callerOfAccount(context, session.accountId);
      if (!feed || !caller.feeds.has(code)) throw notInPlan(code);
      const asked = askedOf(feed, request);
      const isAsked = asked.size > 0 || queryOf(request).has("preview");
      const result = isAsked ? await preview(context, caller, feed, asked) : null;
      const status = result !== null && "detail" in result ? result.status : 200;
      const body = feedPage(context, caller, feed, { asked, result });
      sendPage(context, response, { title: feed.name, status, body, session, here: "/feeds" });
    }),
  );
  router.get(
    "/feeds/:code/export.csv",
    guard(async (request, response, session) => {
      const code = String(request.params.code);
      const feed = feedOf(code);
      if (!feed) throw notInPlan(code);
      const account = await callerOfAccount(context, session.accountId);
      const caller = request.method === "HEAD" ? { ...account, isHead: true } : account;
      const answer = await exportFeed(context, caller, code, feedQueryOf(askedOf(feed, request)));
      if (answer.status !== 200) throw new Error("An export without a tag was answered as unchanged");
      try {
        response.setHeader("Content-Type", "text/csv; charset=utf-8");
        response.setHeader("Content-Disposition", answer.headers["Content-Disposition"]);
        await pipeline(answer.body, response);
      } finally {
        answer.body.destroy();
      }
    }),
  );
};

const notInPlan = (code: string): ProblemError =>
  new ProblemError("not_entitled", `Your plan includes no feed ${code.slice(0, 64)}.`);

/** The filters in the address, without empty ones. */
function askedOf(feed: Feed, request: Request): Map<FilterName | "since", string> {
  const sent = queryOf(request);
  const names = [...feed.allowedFilters, "since"] as const;
  return new Map(
    names.flatMap((name) => {
      const value = sent.get(name)?.trim() ?? "";
      return value === "" ? [] : [[name, value]];
    }),
  );
}

function feedQueryOf(asked: ReadonlyMap<FilterName | "since", string>): FeedQuery {
  const since = asked.get("since");
  const filters = new Map(
    [...asked].filter(([name]) => name !== "since").map(([name, value]) => [name, [value]]),
  );
  return since === undefined ? { filters } : { filters, since };
}

type Records = components["schemas"]["RecordsOut"];

/** The first rows, which are free, or the problem with the request. */
async function preview(
  context: EntryContext,
  caller: Caller,
  feed: Feed,
  asked: ReadonlyMap<FilterName | "since", string>,
): Promise<Records | ShownProblem> {
  const since = asked.get("since");
  if (since !== undefined && !isDay(since)) {
    return { status: 400, title: "Invalid input", detail: "since must be a day like 2026-11-18." };
  }
  try {
    return await previewRecords(context, caller, feed.code, { ...feedQueryOf(asked), rows: PREVIEW_ROWS });
  } catch (error) {
    if (error instanceof ProblemError) return problemOf(error);
    throw error;
  }
}

const isDay = (text: string): boolean =>
  /^\d{4}-\d\d-\d\d$/.test(text) && new Date(`${text}T00:00:00Z`).toJSON()?.startsWith(text) === true;

const feedTable = (
  context: EntryContext,
  feeds: readonly components["schemas"]["FeedOut"][],
): Html => html`<div class="scroll" tabindex="0" role="region" aria-label="Feeds">
<table>
<thead><tr><th scope="col">Feed</th><th scope="col">Comes</th><th scope="col">As of</th><th scope="col">State</th><th scope="col">States</th></tr></thead>
<tbody>
${feeds.map(
  (
    feed,
  ) => html`<tr><td><a href="${dashboardLink(context, `/feeds/${feed.code}`)}">${feed.name}</a><br><code>${feed.code}</code></td>
<td>${feed.cadence}</td><td class="day">${feed.as_of ?? "–"}</td><td>${stateOf(feed)}</td><td>${feed.regions?.join(", ") ?? "all"}</td></tr>
`,
)}</tbody>
</table>
</div>`;

function stateOf(feed: components["schemas"]["FeedOut"]): Html {
  if (feed.as_of === null) return html`<span class="warn">not live yet</span>`;
  return feed.fresh ? html`<span class="good">fresh</span>` : html`<span class="warn">being refreshed</span>`;
}

function feedPage(
  context: EntryContext,
  plan: PlanShown,
  feed: Feed,
  {
    asked,
    result,
  }: { asked: ReadonlyMap<FilterName | "since", string>; result: Records | ShownProblem | null },
): Html {
  const here = dashboardLink(context, `/feeds/${feed.code}`);
  const search = new URLSearchParams([...asked]).toString();
  const suffix = search === "" ? "" : `?${search}`;
  const canDownload = plan.rowsPerMonth > 0;
  return html`<p><a href="${dashboardLink(context, "/feeds")}">All feeds</a></p>
<h1>${feed.name}</h1>
<p><code>${feed.code}</code></p>
<form method="get" action="${here}">
<div class="fields">
${feed.allowedFilters.map((filter) => filterField(feed, filter, asked.get(filter) ?? ""))}
${filterField(feed, "since", asked.get("since") ?? "")}</div>
<p class="row"><button name="preview" value="1">Show ${PREVIEW_ROWS} rows</button>
${canDownload && html`<button class="quiet" formaction="${here}/export.csv" data-download>Download as CSV</button>`}
<a class="button quiet" href="${here}">Clear</a></p>
</form>
<p class="hint" id="download-state" role="status"></p>
<p class="hint">Looking at rows here is free. ${canDownload && "Downloaded rows count against the month's quota, like rows from the API."}</p>
${plan.hasApiAccess ? curlLine(context, feed, suffix) : noApiAccess(context, plan)}
<h2>Records</h2>
${resultOf(feed, result)}`;
}

const curlLine = (
  context: EntryContext,
  feed: Feed,
  suffix: string,
): Html => html`<h2>The same from your own program</h2>
<pre tabindex="0"><code id="curl">curl -H "X-API-Key: $KEY" '${context.config.publicUrl}/v1/feeds/${feed.code}/records${suffix}'</code></pre>
<p><button type="button" class="quiet" data-copy="curl">Copy the line</button></p>`;

function resultOf(feed: Feed, result: Records | ShownProblem | null): Html {
  if (result === null) return html`<p>Choose filters if you like, then show the first rows.</p>`;
  if ("detail" in result) return html`<p class="notice bad" role="alert">${result.detail}</p>`;
  if (result.data.length === 0) return html`<p>No record matches.</p>`;
  return html`<p>As of ${result.as_of}. ${result.has_more ? `The first ${countOf(result.data.length, "row")}; there are more.` : `${countOf(result.data.length, "row")}; there are no more.`}</p>
${recordTable(feed, result.data)}`;
}
