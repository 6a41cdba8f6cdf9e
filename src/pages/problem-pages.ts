import type { Request, Response } from "express";
import { problems } from "../generated/problems.ts";
import { type ProblemCode, problemBody } from "../platform/http/problem.ts";
import { sendFramed } from "./frame/frame.ts";
import { html } from "./frame/html.ts";

/** GET /problems/{code}: what a problem code means and what to do. */
export function problemPage(request: Request<{ code: string }>, response: Response): void {
  const { code } = request.params;
  if (!Object.hasOwn(problems, code)) {
    const body = html`<h1>Not found</h1>
<p>There is no such problem.</p>
<p><a href="../problems">All problems</a></p>`;
    sendFramed(response, "text", { status: 404, title: "Not found", body });
    return;
  }
  const known = code as ProblemCode;
  const { status, title, meaning } = problems[known];
  const example = JSON.stringify(problemBody(known, "What was wrong with your request."), null, 2);
  sendFramed(response, "text", {
    title: `${title} (${code})`,
    body: html`<p><a href="../problems">All problems</a></p>
<h1>${title}</h1>
<p>Status <strong>${status}</strong>, code <code>${code}</code></p>
<h2>What it means</h2>
<p>${meaning}</p>
<h2>What to do</h2>
<p>${adviceFor(status)}</p>
<h2>Example of the answer</h2>
<pre>${example}</pre>
<p>The <code>detail</code> of your answer says what was wrong with your request. See the <a href="../docs">reference</a>.</p>`,
  });
}

/** GET /problems: every problem code. */
export function problemIndex(_request: Request, response: Response): void {
  const rows = Object.entries(problems).map(
    ([code, { status, title }]) =>
      html`<tr><td>${status}</td><td><a href="/problems/${code}"><code>${code}</code></a></td><td>${title}</td></tr>
`,
  );
  sendFramed(response, "text", {
    title: "Problems",
    body: html`<h1>Problems</h1>
<p>Errors are answered as <code>application/problem+json</code>. Let your program decide by <code>code</code>: it does not change.</p>
<table><tr><th>Status</th><th>Code</th><th>Title</th></tr>
${rows}</table>`,
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
