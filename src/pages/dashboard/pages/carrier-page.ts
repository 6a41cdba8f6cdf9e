import type { Caller } from "../../../accounts/keys/caller.ts";
import { type Decision, decideOn } from "../../../carriers/decision/decision.ts";
import { entriesOf } from "../../../carriers/timeline/timeline.ts";
import { feedOf } from "../../../feeds/catalogue.ts";
import type { components } from "../../../generated/types.ts";
import type { EntryContext } from "../../../platform/context.ts";
import { countOf } from "../../../platform/plural.ts";
import { shownDate } from "../../../platform/shown-day.ts";
import { LEGACY_FROZEN_ON } from "../../../registry/datasets.ts";
import { dashboardLink } from "../../frame/links.ts";
import { badge } from "../../kit/badge.ts";
import { type Html, html } from "../../kit/html.ts";
import { emptyState } from "../../kit/notice.ts";
import { facts } from "../../kit/table.ts";
import { carrierBlocks } from "../parts/carrier-blocks.ts";
import { decisionLines } from "../parts/decision-line.ts";
import { eventList } from "../parts/event-list.ts";
import { recordsBeside } from "../parts/feeds/record-table.ts";
import { timelineTable } from "../parts/timeline-table.ts";
import { noApiAccess, ownProgramPart, type PlanShown } from "../plan-note.ts";

type Carrier = components["schemas"]["CarrierOut"];

/** What fits on a page that is read from top to bottom. */
const ENTRIES_SHOWN = 50;

/**
 * The page of a carrier that the caller was shown: first the decision, then the facts behind it. `watch`: the form that puts it
 * on a watchlist.
 */
export async function carrierPage(
  context: EntryContext,
  caller: Caller & PlanShown,
  carrier: Carrier,
  watch: Html,
): Promise<Html> {
  const [decision, entries] = await Promise.all([
    decideOn(context, caller, carrier),
    entriesOf(context, Number(carrier.usdot)),
  ]);
  return html`${heading(carrier, decision)}
${carrierBlocks(decision, carrier.records)}
${watch}
<h2>What happened</h2>
${entries.length > ENTRIES_SHOWN && html`<p>The newest ${ENTRIES_SHOWN} of ${countOf(entries.length, "entry", "entries")}. The API has all of them.</p>`}
${timelineTable(entries.slice(0, ENTRIES_SHOWN), decision.today)}
<h2>Newest events</h2>
${eventsPart(context, carrier)}
<h2>Why it is or is not in your feeds</h2>
${feedsPart(context, decision)}
<h2>Records</h2>
${recordsPart(context, carrier)}
${
  caller.hasApiAccess
    ? ownProgramPart(context, {
        path: `/v1/carriers/${carrier.usdot}`,
        cost: `This request charges ${countOf(carrier.records.length, "row")} of the month's quota: one for each record. Events are free with it.`,
      })
    : noApiAccess(context, caller)
}`;
}

/** The company, and what a person came for. */
const heading = (
  { company, usdot, records, connected, connected_ended }: Carrier,
  decision: Decision,
): Html => html`<h1>${company}</h1>
${decisionLines(decision.answers, decision.today)}
<p class="hint">By the registry's files of ${shownDate(decision.company.asOf, decision.today)}. A day begins and ends in UTC.${legacyNote(decision)}</p>
${facts([
  ["USDOT number", usdot],
  ["State", records.map(({ record }) => record.state).find(Boolean)],
  [
    "Connected with",
    connected == null
      ? null
      : connected === 0
        ? "no other business"
        : `${countOf(connected, "business", "businesses")}, ${connected_ended} of them ended`,
  ],
])}`;

function legacyNote({ answers, authorities, today }: Decision): string | false {
  const isFromLegacy = authorities.some(
    ({ status, statusSource }) => status === "active" && statusSource === "legacy",
  );
  return (
    isFromLegacy &&
    answers.some(({ outcome }) => outcome.may === "yes") &&
    ` An authority is as the legacy registry had it on ${shownDate(LEGACY_FROZEN_ON, today)}; no file has changed it since.`
  );
}

const eventsPart = (context: EntryContext, { events }: Carrier): Html =>
  events.length === 0
    ? emptyState({
        title: "No events",
        text: "Your plan has seen no change of this company's operating authority.",
      })
    : eventList(context, events);

const feedsPart = (context: EntryContext, { feeds }: Decision): Html => html`<ul class="feed">
${feeds.map(
  ({ feed, name, isIn, because }) => html`<li>
<p><a href="${dashboardLink(context, `/feeds/${feed}`)}">${name}</a> ${isIn ? badge("good", "in it") : badge("plain", "not in it")}</p>
${because && html`<p class="hint">${because}</p>`}
</li>
`,
)}</ul>`;

const recordsPart = (context: EntryContext, { records }: Carrier): Html => html`<details>
<summary>Every column of your feeds</summary>
<p>What your feeds say of this company. Looking at it here is free.</p>
${recordsBeside(
  records.flatMap(({ feed: code, as_of, record }) => {
    const feed = feedOf(code);
    if (feed === undefined) return [];
    const head = html`<a href="${dashboardLink(context, `/feeds/${code}`)}">${feed.name}</a><br>as of ${as_of}`;
    return [{ feed, record, head }];
  }),
)}
</details>`;
