import type { Session } from "../../../../accounts/sessions/sessions.ts";
import type { components } from "../../../../generated/types.ts";
import type { EntryContext } from "../../../../platform/context.ts";
import { countOf, shownCount } from "../../../../platform/plural.ts";
import { DOCKET_FORM } from "../../../../registry/carrier-numbers.ts";
import { dashboardLink } from "../../../frame/links.ts";
import { type Html, html } from "../../../kit/html.ts";
import { notice } from "../../../kit/notice.ts";
import { formToken } from "../../dashboard-page.ts";

type Changed = components["schemas"]["WatchedCarriersChanged"];

/** As many numbers of a kind as a person looks through. */
const MOST_SHOWN = 100;

/** What was changed at a list, as the page after it says once. */
export interface WatchOutcome extends Pick<Changed, "added" | "removed" | "already" | "rows_charged"> {
  watchlistId: number;
  unknown: Some<string>;
  ambiguous: Some<Changed["ambiguous"][number]>;
  invalid: Some<string>;
  /** What was typed or read from a file; null for a button. */
  sent: Sent | null;
}

interface Sent {
  /** How many numbers there were, repeated ones too. */
  given: number;
  /** The columns of a file that were read; none for typed numbers. */
  columns: string[];
}

/** The first of many, and how many there are. */
interface Some<Item> {
  first: Item[];
  count: number;
}

const some = <Item>(all: readonly Item[]): Some<Item> => ({
  first: all.slice(0, MOST_SHOWN),
  count: all.length,
});

/** What to show of a change. */
export const outcomeOf = (watchlistId: number, changed: Changed, sent: Sent | null = null): WatchOutcome => ({
  watchlistId,
  added: changed.added,
  removed: changed.removed,
  already: changed.already,
  rows_charged: changed.rows_charged,
  unknown: some(changed.unknown),
  ambiguous: some(changed.ambiguous),
  invalid: some(changed.invalid),
  sent: sent && { given: sent.given, columns: sent.columns },
});

/** The message about what was changed at a list, with the numbers that were not added. */
export function outcomeNotice(context: EntryContext, session: Session, outcome: WatchOutcome): Html {
  const { removed, already, rows_charged: rows, unknown, ambiguous, invalid, sent } = outcome;
  const isComplete = unknown.count + ambiguous.count + invalid.count === 0;
  return notice(
    isComplete ? "good" : "warn",
    html`<p>${already > 0 && `${countOf(already, "carrier")} ${already === 1 ? "was" : "were"} on the list already. `}${
      removed === 0 && chargedWords(rows)
    }${sent && readWords(sent)}${repeatedWords(outcome)}</p>
${leftOut("No carrier of your plan's states has these numbers", unknown)}
${couldNotBeRead(invalid)}
${ambiguous.count > 0 && candidatesOf(context, session, outcome)}`,
    { id: "outcome-title", text: titleOf(outcome) },
  );
}

function titleOf({ added, removed, already, unknown, sent }: WatchOutcome): string {
  if (removed > 0) return `${countOf(removed, "carrier")} removed`;
  if (sent === null && added + already + unknown.count === 0)
    return "The carrier was not on the list any more";
  return `${added === 0 ? "No carrier" : countOf(added, "carrier")} added`;
}

/** Which columns of a file the numbers were read from. */
function readWords({ given, columns: [first, ...others] }: Sent): string | false {
  if (first === undefined) return false;
  const read = ` ${countOf(given, "number")} ${given === 1 ? "was" : "were"} read from column ${first} of the file`;
  return others.length === 0 ? `${read}.` : `${read}, and where it has none from ${others.join(" or ")}.`;
}

/** That some numbers stood for a carrier that others stood for too. */
function repeatedWords({ sent, ...outcome }: WatchOutcome): string | false {
  const { added, already, unknown, ambiguous, invalid } = outcome;
  const repeated = sent && sent.given - (added + already + unknown.count + ambiguous.count + invalid.count);
  return (
    repeated !== null &&
    repeated > 0 &&
    ` ${countOf(repeated, "number")} ${repeated === 1 ? "was" : "were"} there twice or more; a carrier is on a list once.`
  );
}

const chargedWords = (rows: number): string =>
  rows === 0
    ? "Nothing was charged."
    : `${countOf(rows, "row")} of this month's quota ${rows === 1 ? "was" : "were"} charged.`;

const leftOut = (what: string, { first, count }: Some<string>): Html | false =>
  count > 0 && html`<p>${what} (${shownCount(count)}): ${listed({ first, count })}.</p>`;

const couldNotBeRead = ({ first, count }: Some<string>): Html | false =>
  count > 0 &&
  html`<p>${shownCount(count)} could not be read: ${listed({ first, count })}.</p>
<p class="hint">A USDOT number has 1 to 8 digits. ${DOCKET_FORM}</p>`;

const listed = ({ first, count }: Some<string>): string =>
  `${first.join(", ")}${count > first.length ? ` and ${shownCount(count - first.length)} more` : ""}`;

const candidatesOf = (
  context: EntryContext,
  session: Session,
  { watchlistId, ambiguous: { first, count } }: WatchOutcome,
): Html => html`<p>Several carriers had these docket numbers (${shownCount(count)}). Choose the one that you mean:</p>
${first.map(
  ({
    docket,
    usdots,
  }) => html`<form class="row" method="post" action="${dashboardLink(context, `/watchlists/${watchlistId}`)}">
${formToken(session)}
<span>${docket}:</span>
${usdots.map(
  (usdot) => html`<a href="${dashboardLink(context, `/carriers/${usdot}`)}">USDOT ${usdot}</a>
<button class="quiet small" name="numbers" value="${usdot}" aria-label="Add USDOT ${usdot}">Add</button>
`,
)}</form>
`,
)}`;
