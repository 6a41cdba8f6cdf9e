import type { EntryContext } from "../../platform/context.ts";
import { percentOf, shownCount } from "../../platform/plural.ts";
import type { Finding } from "../../watch/findings.ts";
import type { Overview } from "../../watch/overview.ts";
import { linkTo } from "../frame/links.ts";
import { badge, servedBadge } from "../kit/badge.ts";
import { inlineCode, withCode } from "../kit/code-block.ts";
import { type Html, html } from "../kit/html.ts";
import { notice, verdict } from "../kit/notice.ts";
import { table } from "../kit/table.ts";
import { shownTime } from "../kit/time.ts";
import { guardsOf, runBadge } from "./run-words.ts";

/** The state of the service: the verdict, what to do, and the facts behind it. */
export const overviewPage = (
  context: EntryContext,
  overview: Overview,
): Html => html`<h1>State of the service</h1>
${verdict(overview.verdict.grade, overview.verdict.text)}
${overview.findings.map(finding)}
<h2 id="access">Requests for access</h2>
${access(context, overview)}
<h2>Feeds</h2>
${feeds(overview)}
<h2>Imports</h2>
${imports(context, overview)}
<h2>Accounts near their quota</h2>
${accounts(overview)}
<h2>Failing endpoints</h2>
${endpoints(overview)}
<h2>Removals that wait</h2>
${removals(overview)}
<h2>Mails that failed</h2>
${mails(overview)}
<h2>Running processes</h2>
${processes(overview)}
<p class="hint">${
  overview.backupAt === null
    ? html`No <code>tdf backup</code> is recorded.`
    : html`The last <code>tdf backup</code> finished at ${shownTime(overview.backupAt.toISOString())}.`
}
Apart from requests for access, the commands of <code>tdf --help</code> change things, not this page.</p>`;

const finding = ({ name, grade, what, todo }: Finding): Html =>
  notice(grade, html`${withCode(what)}<br>${name === "access-waits" ? DECIDE_BELOW : withCode(todo)}`);

const DECIDE_BELOW = html`Decide <a href="#access">below</a>, or with <code>tdf access</code>.`;

/** A caption for a table that shows only some of all, and says which. */
const ofAll = (
  { length }: readonly unknown[],
  all: number | undefined,
  shown: (count: number) => string,
  rest?: Html,
): { caption?: Html } =>
  all !== undefined && length < all ? { caption: html`${shown(length)} of ${shownCount(all)}.${rest}` } : {};

const access = (context: EntryContext, { accessRequests: rows, access: { waiting } }: Overview): Html =>
  rows.length === 0
    ? html`<p>No request for access waits for your word.</p>`
    : table({
        label: "Requests for access",
        ...ofAll(
          rows,
          waiting,
          (shown) => `The oldest ${shown}`,
          html` <code>tdf access list</code> shows all.`,
        ),
        rowsAreCards: true,
        rows,
        columns: [
          {
            head: "Request",
            cell: ({ id }) => html`<a href="${linkTo(context, `/admin/access/${id}`)}">${id}</a>`,
          },
          { head: "Company", cell: ({ company }) => company },
          { head: "Name", cell: ({ name }) => name },
          { head: "Plan of interest", cell: ({ wished_plan }) => wished_plan },
          { head: "Waits since", cell: ({ confirmed_at }) => confirmed_at && shownTime(confirmed_at) },
          { head: "What for", isLong: true, cell: ({ purpose }) => purpose },
        ],
      });

const feeds = ({ feeds: rows }: Overview): Html =>
  table({
    label: "Feeds",
    rowsAreCards: true,
    rows,
    columns: [
      { head: "Feed", cell: ({ feed }) => inlineCode(feed) },
      {
        head: "State",
        isStatus: true,
        cell: ({ isServed, asOf }) => servedBadge(isServed, asOf),
      },
      { head: "Since", cell: ({ since }) => since && shownTime(since.toISOString()) },
      { head: "As of", cell: ({ asOf }) => asOf && html`<time>${asOf}</time>` },
      { head: "Stale from", cell: ({ staleFrom }) => staleFrom && shownTime(staleFrom.toISOString()) },
      {
        head: "Rolled back",
        cell: ({ rolledBackAt }) => rolledBackAt && shownTime(rolledBackAt.toISOString()),
      },
    ],
  });

const imports = (context: EntryContext, { runs: rows }: Overview): Html =>
  rows.length === 0
    ? html`<p>No import yet.</p>`
    : table({
        label: "Imports",
        rowsAreCards: true,
        rows,
        columns: [
          {
            head: "Import",
            cell: ({ id }) => html`<a href="${linkTo(context, `/admin/imports/${id}`)}">${id}</a>`,
          },
          { head: "Outcome", isStatus: true, cell: ({ status }) => runBadge[status] },
          { head: "Started", cell: ({ startedAt }) => shownTime(startedAt.toISOString()) },
          { head: "As of", cell: ({ asOf }) => asOf && html`<time>${asOf}</time>` },
          { head: "Refused by", isWide: true, cell: guardsOf },
          { head: "Why", isLong: true, cell: ({ refusal }) => refusal && withCode(refusal) },
        ],
      });

const accounts = ({ accounts: rows }: Overview): Html =>
  rows.length === 0
    ? html`<p>No account is near this month's quota.</p>`
    : table({
        label: "Accounts near their quota",
        ...ofAll(rows, rows[0]?.all, (shown) => `The fullest ${shown}`),
        rowsAreCards: true,
        rows,
        columns: [
          { head: "Account", cell: ({ id, name }) => html`${id} · ${name}` },
          { head: "Rows used", isNumber: true, cell: ({ used }) => used },
          { head: "Rows of the plan", isNumber: true, cell: ({ limit }) => limit },
          {
            head: "Used",
            isNumber: true,
            cell: ({ used, limit }) => percentOf(used, limit),
          },
        ],
      });

const endpoints = ({ endpoints: rows }: Overview): Html =>
  rows.length === 0
    ? html`<p>No endpoint fails to take events or is paused.</p>`
    : table({
        label: "Failing endpoints",
        ...ofAll(rows, rows[0]?.all, (shown) => `The ${shown} in trouble last,`),
        rowsAreCards: true,
        rows,
        columns: [
          { head: "Endpoint", cell: ({ id }) => String(id) },
          { head: "Account", cell: ({ accountId, accountName }) => html`${accountId} · ${accountName}` },
          {
            head: "State",
            isStatus: true,
            cell: ({ isActive }) => (isActive ? badge("warn", "fails") : badge("bad", "paused")),
          },
          { head: "Failures in a row", isNumber: true, cell: ({ failureStreak }) => failureStreak },
          {
            head: "Reason",
            cell: ({ disabledReason }) => disabledReason && html`<code>${disabledReason}</code>`,
          },
          {
            head: "Paused",
            cell: ({ pausedAt, isActive }) => !isActive && pausedAt && shownTime(pausedAt.toISOString()),
          },
        ],
      });

const removals = ({ removals: { waiting, waiting_since } }: Overview): Html =>
  waiting === 0
    ? html`<p>No removal request waits for a decision.</p>`
    : html`<p>Waiting for a decision: <strong>${waiting}</strong>, the oldest since ${shownTime(waiting_since)}. Decide with
<code>tdf removal review</code>.</p>`;

const mails = ({ failedMails: rows, failedMailCount }: Overview): Html =>
  rows.length === 0
    ? html`<p>No mail was given up in the last days.</p>`
    : table({
        label: "Mails that failed",
        ...ofAll(rows, failedMailCount, (shown) => `The newest ${shown}`),
        rowsAreCards: true,
        rows,
        columns: [
          { head: "Purpose", cell: ({ purpose }) => html`<code>${purpose}</code>` },
          { head: "Queued", cell: ({ createdAt }) => shownTime(createdAt.toISOString()) },
          { head: "Given up", cell: ({ failedAt }) => failedAt && shownTime(failedAt.toISOString()) },
          {
            head: "Reason",
            isWide: true,
            cell: ({ lastError }) => lastError && html`<code>${lastError}</code>`,
          },
        ],
      });

const processes = ({ processes: rows }: Overview): Html =>
  rows.length === 0
    ? html`<p>No process has reported in the last minutes.</p>`
    : table({
        label: "Running processes",
        rowsAreCards: true,
        rows,
        columns: [
          { head: "Process", cell: ({ kind }) => html`<code>${kind}</code>` },
          { head: "Version", cell: ({ version }) => version },
          { head: "Started", cell: ({ startedAt }) => shownTime(startedAt.toISOString()) },
          { head: "Last seen", cell: ({ seenAt }) => shownTime(seenAt.toISOString(), "second") },
        ],
      });
