import { type EventType, events } from "../generated/feeds.ts";

export type { EventType } from "../generated/feeds.ts";

/** Every event type, in the order of the contract. */
export const EVENT_TYPES = Object.keys(events) as readonly EventType[];

/** The event types, and the feeds a plan needs one of to see them. */
export const EVENT_TYPE_FEEDS = Object.fromEntries(
  EVENT_TYPES.map((type) => [type, events[type].feeds]),
) as Readonly<Record<EventType, readonly string[]>>;

/** The event type as people read it. */
export const eventTypeLabel = (type: EventType): string => events[type].label;

/** What the colour of the event type says on pages. */
export const eventTypeTone = (type: EventType) => events[type].tone;

/** The news of the event type as a sentence with `{authority}` and `{ on day}`. Null: the details of an event make it. */
export const eventTypeSentence = (type: EventType): string | null => events[type].sentence;

/** Pairs of event type and feed that has it, as "type feed": a parameter of the SQL function plan_event_feed. */
export const CARRIED_TYPES: readonly string[] = Object.entries(EVENT_TYPE_FEEDS).flatMap(([type, feeds]) =>
  feeds.map((feed) => `${type} ${feed}`),
);
