import type { Request, Response } from "express";
import { problems } from "../generated/problems.ts";
import type { EntryContext } from "../platform/context.ts";
import { type ProblemCode, problemBody } from "../platform/http/problem.ts";
import { sendSitePage } from "./frame/frame.ts";
import { linkTo } from "./frame/links.ts";
import { codeBlock } from "./kit/code-block.ts";
import { html } from "./kit/html.ts";
import { table } from "./kit/table.ts";

/** GET /problems/{code}: what a problem code means and what to do. */
export function problemPage(
  context: EntryContext,
  request: Request<{ code: string }>,
  response: Response,
): void {
  const { code } = request.params;
  if (!Object.hasOwn(problems, code)) {
    const body = html`<h1>Not found</h1>
<p>There is no such problem.</p>
<p><a href="${linkTo(context, "/problems")}">All problems</a></p>`;
    sendSitePage(context, response, "text", { status: 404, title: "Not found", body });
    return;
  }
  const known = code as ProblemCode;
  const { status, title, meaning } = problems[known];
  const example = JSON.stringify(problemBody(known, "What was wrong with your request."), null, 2);
  sendSitePage(context, response, "text", {
    title: `${title} (${code})`,
    body: html`<p><a href="${linkTo(context, "/problems")}">All problems</a></p>
<h1>${title}</h1>
<p>Status <strong>${status}</strong>, code <code>${code}</code></p>
<h2>What it means</h2>
<p>${meaning}</p>
<h2>What to do</h2>
<p>${adviceFor(status)}</p>
<h2>Example of the answer</h2>
${codeBlock({ id: "example", code: example, language: "json" })}
<p>The <code>detail</code> of your answer says what was wrong with your request. See the <a href="${linkTo(context, "/docs")}">reference</a>.</p>`,
  });
}

/** GET /problems: every problem code. */
export function problemIndex(context: EntryContext, _request: Request, response: Response): void {
  sendSitePage(context, response, "text", {
    title: "Problems",
    body: html`<h1>Problems</h1>
<p>Errors are answered as <code>application/problem+json</code>. Let your program decide by <code>code</code>: it does not change.</p>
${table({
  label: "Problems",
  rows: Object.entries(problems),
  columns: [
    {
      head: "Code",
      cell: ([code]) => html`<a href="${linkTo(context, `/problems/${code}`)}"><code>${code}</code></a>`,
    },
    { head: "Status", cell: ([, { status }]) => status, isNumber: true },
    { head: "Title", cell: ([, { title }]) => title },
  ],
})}`,
  });
}

function adviceFor(status: number): string {
  if (status === 429 || status === 503) {
    return "Wait the number of seconds in the Retry-After header of the answer, then send the same request again.";
  }
  if (status >= 500)
    return "Send the request again. If it fails again, report the X-Request-Id of the answer.";
  return "Change the request as described. The same request would be refused again.";
}
