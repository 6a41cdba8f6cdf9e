import type { Application } from "express";
import { routePage } from "../../../src/api/routes.ts";
import { checklist } from "../../../src/pages/dashboard/parts/checklist.ts";
import { sendSitePage } from "../../../src/pages/frame/frame.ts";
import { badge } from "../../../src/pages/kit/badge.ts";
import { cards } from "../../../src/pages/kit/card.ts";
import { barChart, quotaBar } from "../../../src/pages/kit/chart.ts";
import { codeBlock } from "../../../src/pages/kit/code-block.ts";
import { choice, field, longField } from "../../../src/pages/kit/field.ts";
import { type Html, html } from "../../../src/pages/kit/html.ts";
import { pager, tabs } from "../../../src/pages/kit/navigation.ts";
import { emptyState, errorNotice, notice, toast, verdict } from "../../../src/pages/kit/notice.ts";
import { facts, table } from "../../../src/pages/kit/table.ts";
import { shownTime } from "../../../src/pages/kit/time.ts";
import { addDays, dayOf } from "../../../src/platform/clock.ts";
import type { EntryContext } from "../../../src/platform/context.ts";

export const COMPONENTS = "/components";

/** Routes a page of every component in each of its states, some of which the service's pages show rarely. */
export function routeComponents(app: Application, context: EntryContext): void {
  routePage(app, context, COMPONENTS, "pages", (_request, response) => {
    const body = html`<h1>Components</h1>
<p>Every component that pages are made of, as pages use it.</p>
${figures(context)}${words}${forms}${code(context)}`;
    sendSitePage(context, response, "wide", { title: "Components", body });
  });
}

function figures(context: EntryContext): Html {
  const now = context.clock.now();
  const days = Array.from({ length: 30 }, (_, index) => addDays(dayOf(now), index - 29));
  const values = days.map((_, index) => ((index * 37) % 23) * 1_000);
  return html`<h2>Card</h2>
${cards([
  { title: "Rows this month", value: "412,000", hint: "of 500,000", trend: values },
  { title: "Requests", value: "1,204", hint: "in 30 days" },
  { title: "Plan", value: badge("info", "Professional") },
])}
<h2>Verdict</h2>
${verdict("good", "Everything works.")}
${verdict("warn", "2 things need attention.")}
${verdict("bad", "1 thing does not work; 2 more need attention.")}
${verdict("plain", "You have no API key yet.")}
<h2>Quota bar</h2>
${quotaBar({ used: 412_000, expected: 470_000, limit: 500_000, caption: "412,000 of 500,000 rows, 470,000 expected" })}
<h2>Steps</h2>
${checklist([
  { name: "Make a key", text: "Your programs send it.", isDone: true },
  { name: "Call the API", text: "Paste the line into a terminal.", isDone: false },
  { name: "Register an endpoint", text: "Events are sent to it.", isDone: false },
])}
<h2>Badge</h2>
<p>${badge("good", "delivered")} ${badge("warn", "failing")} ${badge("bad", "failed")} ${badge("info", "test")} ${badge("plain", "queued")}</p>
<h2>Table</h2>
${table({
  label: "Days",
  caption: "The last days, the newest first.",
  rows: days.slice(-4).toReversed(),
  columns: [
    { head: "Day", cell: (day) => day },
    { head: "Rows", cell: (day) => values[days.indexOf(day)], isNumber: true },
    { head: "State", cell: () => badge("good", "fresh") },
    { head: "Remark", cell: () => null, meaning: "A cell without a value is a dash" },
  ],
})}
<h2>Facts</h2>
${facts([
  ["Docket number", "MC1261137"],
  ["State", null],
])}
<h2>Chart</h2>
${barChart({
  title: "Requests",
  none: "No request was sent.",
  nameOfBars: "Day",
  series: [
    { name: "answered", tone: "accent" },
    { name: "errors", tone: "bad" },
  ],
  bars: days.map((day, index) => ({
    name: day,
    values: [values[index] ?? 0, (values[index] ?? 0) % 2_500],
  })),
})}
`;
}

const words = html`<h2>Empty state</h2>
${emptyState({ title: "No endpoint yet", text: "Events are sent to your address.", action: html`<a class="button" href="#">Register an endpoint</a>` })}
<h2>Notice</h2>
${notice("info", "Worth knowing.")}${notice("good", "All is well.")}${notice("warn", html`<strong>82% of the rows are used.</strong> 90,000 are left.`)}${errorNotice("The address must begin with https://.")}
<h2>Toast</h2>
${toast("The endpoint was saved.")}
`;

const forms = html`<h2>Form field</h2>
<form class="stack">
${field({ name: "address", label: "Address", hint: "A public https address.", value: "http://example.com", error: "It must begin with https://." })}
${longField({ name: "remark", label: "Remark", hint: "Several lines." })}
${choice({
  name: "zone",
  label: "Time zone",
  value: "b",
  choices: [
    ["a", "Eastern"],
    ["b", "Central"],
  ],
})}
<p class="row"><button type="button">Save</button> <button type="button" class="quiet">Cancel</button> <button type="button" class="danger">Delete</button></p>
</form>
`;

const code = (context: EntryContext): Html => html`<h2>Code block</h2>
${codeBlock({ id: "curl", language: "bash", code: `curl -H "X-API-Key: $KEY" '${context.config.publicUrl}/v1/feeds'` })}
${codeBlock({ id: "json", language: "json", code: JSON.stringify({ usdot: "1234567", trucks: 4, fresh: true, docket: null }, null, 2) })}
<h2>Tabs</h2>
${tabs("Example", [
  { name: "Deliveries", href: "#", isHere: true },
  { name: "Settings", href: "#", isHere: false },
])}
<h2>Pager</h2>
${pager({ newest: { href: "#", name: "Newest" }, older: { href: "#", name: "Older events" } })}
<h2>Time</h2>
<p>${shownTime(new Date(context.clock.now().getTime() - 7_500_000).toISOString())}</p>
`;
