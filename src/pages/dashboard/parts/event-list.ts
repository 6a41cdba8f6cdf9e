import type { EventOut } from "../../../events/event-row.ts";
import { eventNews, eventSubject } from "../../../events/event-sentence.ts";
import { type EventType, eventTypeLabel, eventTypeTone } from "../../../events/event-types.ts";
import { dayOf } from "../../../platform/clock.ts";
import type { EntryContext } from "../../../platform/context.ts";
import { shownDate } from "../../../platform/shown-day.ts";
import { dashboardLink } from "../../frame/links.ts";
import { badge } from "../../kit/badge.ts";
import { codeBlock } from "../../kit/code-block.ts";
import { type Html, html } from "../../kit/html.ts";
import { facts } from "../../kit/table.ts";
import { shownTime } from "../../kit/time.ts";
import { inWords } from "../../kit/words.ts";

/** The type of an event. */
export const eventBadge = (type: EventType): Html => badge(eventTypeTone(type), eventTypeLabel(type));

/** How a correction left the event. */
const CORRECTION_LABELS = { changed: "Corrected", withdrawn: "Withdrawn" } as const;

const correctionBadge = ({ data }: EventOut): Html | undefined =>
  data?.correction && html`${badge("warn", CORRECTION_LABELS[data.correction])} `;

/** Events as sentences under the day of the registry that shows them, each with its details folded. */
export function eventList(context: EntryContext, events: readonly EventOut[]): Html {
  const today = dayOf(context.clock.now());
  return html`${daysOf(events).map(
    ({ day, told }) => html`<section class="day">
<p class="hint">${day === null ? "Day not known" : shownDate(day, today)}</p>
<ul class="feed">
${told.map((event) => eventItem(context, event))}</ul>
</section>
`,
  )}`;
}

/**
 * Neighbours of one day together, with those whose day is not known. What was noticed late stands under its own day, and so a
 * day may come twice.
 */
function daysOf(events: readonly EventOut[]): { day: string | null; told: EventOut[] }[] {
  const days: { day: string | null; told: EventOut[] }[] = [];
  for (const event of events) {
    const day = event.occurred_at ?? null;
    const last = days.at(-1);
    if (last !== undefined && (day === null || last.day === day)) last.told.push(event);
    else days.push({ day, told: [event] });
  }
  return days;
}

const eventItem = (context: EntryContext, event: EventOut): Html => html`<li>
<details>
<summary>${eventBadge(event.type)} <span><strong>${eventSubject(event)}</strong>: ${eventNews(event)}</span> <span class="place">${correctionBadge(event)}${event.state}</span></summary>
<div class="pair">
<div>${factsOf(context, event)}</div>
<div>${codeBlock({ id: `event-${event.id}`, language: "json", code: JSON.stringify(event, null, 2) })}</div>
</div>
</details>
</li>
`;

function factsOf(context: EntryContext, event: EventOut): Html {
  const { id, usdot, data = {} } = event;
  const page = dashboardLink(context, `/carriers/${usdot}`);
  return facts([
    ["Event", html`<code>evt_${id}</code>`],
    ["Business", data.legal_name && html`<a href="${page}">${data.legal_name}</a>`],
    ["USDOT number", html`<a href="${page}">${usdot}</a>`],
    ["Docket number", event.docket],
    ["State", event.state],
    ["Authority", inWords(data.authority_type)],
    ["Status", `${inWords(data.status_before) ?? "–"} → ${inWords(data.status_after) ?? "–"}`],
    ["Reason", data.reason],
    ["Takes effect", data.effective_date],
    ["On record as of", event.occurred_at],
    ["Detected", shownTime(event.detected_at)],
    data.corrected_at !== undefined && [
      "Corrected",
      html`${shownTime(data.corrected_at)} ${correctionBadge(event)}`,
    ],
    data.status_now !== undefined && ["Status then", inWords(data.status_now) ?? "not known"],
    ["Source", inWords(event.source_dataset)],
    ["Verified by", inWords(event.verify_method)],
  ]);
}
