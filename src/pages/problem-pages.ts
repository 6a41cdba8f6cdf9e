import type { Request, Response } from "express";
import { problems } from "../generated/problems.ts";
import type { EntryContext } from "../platform/context.ts";
import { type ProblemCode, problemBody } from "../platform/http/problem.ts";
import { sendSitePage } from "./frame/frame.ts";
import { linkTo } from "./frame/links.ts";
import { exampleDetail, problemsByStatus } from "./guides/operations.ts";
import { badge } from "./kit/badge.ts";
import { codeBlock, withCode } from "./kit/code-block.ts";
import { type Html, html } from "./kit/html.ts";
import { table } from "./kit/table.ts";

/** GET /problems/{code}: what a problem code means and what to do. */
export function problemPage(
  context: EntryContext,
  request: Request<{ code: string }>,
  response: Response,
): void {
  const { code } = request.params;
  if (!Object.hasOwn(problems, code)) {
    const body = html`<h1>There is no such problem</h1>
<p>No answer of this service has this code. <a href="${linkTo(context, "/problems")}">See all problems</a>.</p>`;
    sendSitePage(context, response, "text", { status: 404, title: "Not found", body });
    return;
  }
  const known = code as ProblemCode;
  const { status, title, meaning } = problems[known];
  const example = problemBody(context.config.publicUrl, known, exampleDetail(known) ?? meaning);
  sendSitePage(context, response, "text", {
    title: `${title} (${code})`,
    description: meaning,
    body: html`<p><a href="${linkTo(context, "/problems")}">All problems</a></p>
<h1>${title}</h1>
<p>${statusBadge(status)} <code>${code}</code></p>
<h2>What it means, and what to do</h2>
<p>${withCode(meaning)}</p>
<h2>When to send the request again</h2>
<p>${whenToRepeat(known, status)}</p>
<h2>Example of the answer</h2>
${codeBlock({ id: "example", code: JSON.stringify(example, null, 2), language: "json" })}
<p>The <code>detail</code> of your answer says what was wrong with your request. See the <a href="${linkTo(context, "/docs")}">reference</a>.</p>`,
  });
}

/** GET /problems: every problem code. */
export function problemIndex(context: EntryContext, _request: Request, response: Response): void {
  sendSitePage(context, response, "wide", {
    title: "Problems",
    description: "Every error code of the API: what it means and what to do.",
    body: html`<h1>Problems</h1>
<p>The service answers errors as <code>application/problem+json</code>. Let your program decide by <code>code</code>: it does
not change. Each code has a page that says what to do.</p>
${table({
  label: "Problems",
  rowsAreCards: true,
  rows: problemsByStatus(),
  columns: [
    {
      head: "Code",
      cell: ([code]) => html`<a href="${linkTo(context, `/problems/${code}`)}"><code>${code}</code></a>`,
    },
    { head: "Status", cell: ([, { status }]) => statusBadge(status) },
    { head: "Meaning", cell: ([, { meaning }]) => withCode(meaning), isLong: true },
  ],
})}`,
  });
}

/** Only what may pass by itself stands out. */
const statusBadge = (status: number): Html =>
  badge(status >= 500 ? "bad" : status === 429 ? "warn" : "plain", String(status));

function whenToRepeat(code: ProblemCode, status: number): Html | string {
  if (status === 429 || status === 503 || code === "request_in_progress")
    return html`After the number of seconds that the header <code>Retry-After</code> of the answer names.`;
  if (status >= 500)
    return html`At once. If it fails again, report the <code>X-Request-Id</code> of the answer.`;
  if (code === "request_timeout") return "At once.";
  if (code === "feed_not_live") return "Later. Nothing about the request needs to change.";
  return "After you have changed it. The same request is refused again.";
}
