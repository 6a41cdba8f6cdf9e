import type { EventOut } from "../../../events/event-row.ts";
import { eventSentence } from "../../../events/event-sentence.ts";
import { type EventType, eventTypeLabel, eventTypeTone } from "../../../events/event-types.ts";
import type { EntryContext } from "../../../platform/context.ts";
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

/** Events as sentences, each with its details folded. */
export const eventList = (context: EntryContext, events: readonly EventOut[]): Html => html`<ul class="feed">
${events.map((event) => eventItem(context, event))}</ul>
`;

const eventItem = (context: EntryContext, event: EventOut): Html => html`<li>
<p>${eventSentence(event)}</p>
<p class="hint">${eventBadge(event.type)} ${correctionBadge(event)}${event.state && html`${event.state} · `}${shownTime(event.detected_at)}</p>
<details>
<summary>Details</summary>
<div class="pair">
<div>${factsOf(context, event)}</div>
<div>${codeBlock({ id: `event-${event.id}`, language: "json", code: JSON.stringify(event, null, 2) })}</div>
</div>
</details>
</li>
`;

function factsOf(context: EntryContext, event: EventOut): Html {
  const { id, usdot, data = {} } = event;
  return facts([
    ["Event", html`<code>evt_${id}</code>`],
    ["Business", data.legal_name],
    ["USDOT number", html`<a href="${dashboardLink(context, `/carriers/${usdot}`)}">${usdot}</a>`],
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
