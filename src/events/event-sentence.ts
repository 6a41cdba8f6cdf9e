import { type AuthorityClass, classInWords, FREIGHT_CLASSES } from "../registry/authority-classes.ts";
import type { EventOut } from "./event-row.ts";
import { eventTypeLabel, eventTypeSentence } from "./event-types.ts";

/** What a sentence tells of an event. */
export type ToldEvent = Pick<EventOut, "type" | "usdot" | "docket" | "occurred_at" | "detected_at" | "data">;

/** An event as a sentence: `MC1261137 FOREST RIDGE FREIGHT INC: suspension ordered, takes effect 22 December`. */
export const eventSentence = (event: ToldEvent): string => `${eventSubject(event)}: ${eventNews(event)}`;

/** The business of an event: `MC1261137 FOREST RIDGE FREIGHT INC`. */
export const eventSubject = ({ docket, usdot, data }: ToldEvent): string =>
  [docket ?? `USDOT ${usdot}`, data?.legal_name].filter(Boolean).join(" ");

/** What happened to the business: `suspension ordered, takes effect 22 December`. */
export const eventNews = (event: ToldEvent): string =>
  `${newsOf(event)}${event.data?.correction === "withdrawn" ? " (withdrawn since)" : ""}`;

function newsOf(event: ToldEvent): string {
  const { type, data } = event;
  const authority = authorityOf(event);
  const day = shownDay(event, data?.effective_date ?? event.occurred_at);
  if (type === "revocation_pending") return orderOf(event, authority);
  if (type === "authority_inactive") return lossOf(event, authority, day);
  const sentence = eventTypeSentence(type) ?? `{authority}: ${eventTypeLabel(type)}{ on day}`;
  return sentence.replace("{authority}", authority).replace("{ on day}", day === null ? "" : ` on ${day}`);
}

/** `authority` for most carriers; other classes are named. */
function authorityOf({ data }: ToldEvent): string {
  const known = FREIGHT_CLASSES.find((each) => each === data?.authority_type);
  return known === undefined || known === USUAL ? "authority" : `authority as ${classInWords(known)}`;
}

const USUAL: AuthorityClass = "carrier_property";

function orderOf(event: ToldEvent, authority: string): string {
  const order = /suspension/i.test(event.data?.reason ?? "") ? "suspension" : "revocation";
  const what = authority === "authority" ? order : `${order} of the ${authority}`;
  const effective = shownDay(event, event.data?.effective_date);
  return `${what} ordered${effective === null ? "" : `, takes effect ${effective}`}`;
}

function lossOf({ data }: ToldEvent, authority: string, day: string | null): string {
  const { status_before: before, status_after: after, reason } = data ?? {};
  const [state, preposition] = after === "withdrawn" ? ["withdrawn", "on"] : ["inactive", "since"];
  return [
    `${authority} ${state}${day === null ? "" : ` ${preposition} ${day}`}`,
    before && before !== "active" && `${before} before`,
    reason && `reason: ${reason}`,
  ]
    .filter(Boolean)
    .join(", ");
}

const DAY = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "long", timeZone: "UTC" });
const DAY_AND_YEAR = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeZone: "UTC" });

/** `22 December`, with the year unless the event was detected in the same one. */
function shownDay({ detected_at }: ToldEvent, day: string | null | undefined): string | null {
  if (!day) return null;
  const isSameYear = detected_at?.slice(0, 4) === day.slice(0, 4);
  return (isSameYear ? DAY : DAY_AND_YEAR).format(Date.parse(`${day}T00:00:00Z`));
}
