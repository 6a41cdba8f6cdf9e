import { fieldSentence, linkSentence } from "../../../carriers/change-words.ts";
import type { components } from "../../../generated/types.ts";
import { capital } from "../../../platform/plain-text.ts";
import { shownDate } from "../../../platform/shown-day.ts";
import { type Html, html } from "../../kit/html.ts";
import { emptyState } from "../../kit/notice.ts";
import { table } from "../../kit/table.ts";
import { shownTime } from "../../kit/time.ts";
import { inWords } from "../../kit/words.ts";

type Entry = components["schemas"]["TimelineEntryOut"];
type Details = Entry["details"];

/** What happened to a company, newest first, as a table. Days that are far from `today` have their year. */
export const timelineTable = (entries: readonly Entry[], today: string): Html =>
  entries.length === 0
    ? emptyState({
        title: "Nothing is recorded",
        text: "The registry's histories have nothing of this company, and no import has seen a change.",
      })
    : table({
        label: "What happened",
        rowsAreCards: true,
        rows: entries,
        columns: [
          {
            head: "Day",
            cell: ({ on }) => on && html`<time datetime="${on}">${shownDate(on, today)}</time>`,
          },
          { head: "What happened", cell: (entry) => sentenceOf(entry, today), isLong: true },
          { head: "Docket number", cell: ({ docket_number }) => docket_number },
          { head: "Authority", cell: ({ authority_type }) => inWords(authority_type) },
          { head: "First seen", cell: ({ seen_at }) => seen_at && shownTime(seen_at) },
        ],
      });

const SENTENCES: Readonly<Record<string, (details: Details, today: string) => string>> = {
  applied: () => "Authority applied for",
  granted: () => "Authority granted",
  reinstated: () => "Authority reinstated",
  suspended: ({ words }) => `Authority suspended (${words})`,
  revoked: () => "Authority revoked",
  withdrawn: () => "Authority withdrawn",
  ended: ({ words }) => `Authority ended (${words})`,
  order_served: ({ served_on, effective_on }, today) =>
    served_on === null && effective_on !== null
      ? "Order to suspend or revoke takes effect"
      : `Order to suspend or revoke served${effective_on ? `, takes effect on ${shownDate(effective_on, today)}` : ""}`,
  order_discontinued: ({ ended_on }, today) =>
    `Order to suspend or revoke served, discontinued${onDay(ended_on, today)}`,
  policy_filed: ({ insurer, insurance_type }) =>
    `${insurer ?? "An insurer"} filed ${policyOf(insurance_type)}`,
  policy_replaced: ({ insurer, previous_insurer, insurance_type }) =>
    `${insurer ?? "An insurer"} filed ${policyOf(insurance_type)} in the place of ${previous_insurer ?? "another insurer"}`,
  policy_cancelled: ({ insurer, insurance_type }) =>
    `${capital(policyOf(insurance_type))} of ${insurer ?? "an insurer"} ended`,
  placed_out_of_service: ({ ended_on }, today) =>
    `Ordered out of service${ended_on ? `, rescinded${onDay(ended_on, today)}` : ""}`,
};

const onDay = (day: string | null, today: string): string =>
  day === null ? "" : ` on ${shownDate(day, today)}`;

function sentenceOf(entry: Entry, today: string): string {
  const { action, category, field, before, after, on, seen_at, details } = entry;
  if (category === "connection" && field !== null) return linkSentence({ field, before, after });
  if (action === "changed" && field !== null) {
    return fieldSentence({ field, before, after, on, seen_at: seen_at ?? today });
  }
  return SENTENCES[action]?.(details, today) ?? `Status changed (${details.words})`;
}

const POLICIES: Readonly<Record<string, string>> = {
  bipd: "a liability policy",
  cargo: "a cargo policy",
  security: "a bond or trust fund",
};

const policyOf = (insuranceType: string | null): string => POLICIES[insuranceType ?? ""] ?? "a policy";
