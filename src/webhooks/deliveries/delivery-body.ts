import { type CorrectionKind, type EventRow, eventData, eventOut } from "../../events/event-row.ts";
import type { EventType } from "../../events/event-types.ts";
import type { components } from "../../generated/types.ts";
import type { Payload } from "../endpoints/filters.ts";
import { deliveredChangeId } from "./change-delivery.ts";

type DeliveryBody = components["schemas"]["DeliveryBody"];
type ThinDeliveryBody = components["schemas"]["ThinDeliveryBody"];

/** The event's id as receivers see it: the id of GET /v1/events, the same in all retries and replays. */
export const deliveredEventId = (eventId: number): string => `evt_${eventId}`;

/** The correction's id as receivers see it: no event has such an id. */
export const deliveredCorrectionId = (correctionId: number): string => `cor_${correctionId}`;

/** The ids of what a delivery tells. */
export interface DeliveredIds {
  /** Of the event, or the number of a test; null for a change. */
  eventId: number | null;
  correctionId: number | null;
  changeId: number | null;
}

/** The id of a delivery's body as receivers see it: of its correction or change, else of its event. */
export function deliveredId({ eventId, correctionId, changeId }: DeliveredIds): string {
  if (changeId !== null) return deliveredChangeId(changeId);
  return correctionId === null ? deliveredEventId(eventId ?? 0) : deliveredCorrectionId(correctionId);
}

/** A correction of an event. */
export interface ToldCorrection {
  correctionId: number;
  kind: CorrectionKind;
  correctedAt: Date;
}

/** The bytes to send for a correction, with the event as it is now, to endpoints of each payload. */
export function correctionBodiesOf(
  { correctionId, kind: correction, correctedAt }: ToldCorrection,
  event: EventRow,
  publicUrl: string,
): Readonly<Record<Payload, string>> {
  const head = {
    id: deliveredCorrectionId(correctionId),
    type: "event_correction",
    created: correctedAt.toISOString(),
  } as const;
  return {
    full: textOf({ ...head, data: { correction, event: eventOut(event) } }),
    thin: textOf({ ...head, data: { correction, event_url: eventUrl(publicUrl, event) } }),
  };
}

const eventUrl = (publicUrl: string, { id }: EventRow): string => `${publicUrl}/v1/events/${id}`;

/** The bytes to send for an event. The same row always gives the same bytes. */
export const deliveryBody = (event: EventRow): string =>
  textOf({
    id: deliveredEventId(event.id),
    type: event.type,
    created: event.detected_at.toISOString(),
    data: {
      usdot: String(event.usdot),
      docket: event.docket,
      state: event.state,
      occurred_at: event.occurred_on,
      source_dataset: event.source_dataset,
      verify_method: event.verify_method,
      data: eventData(event),
    },
  });

/** The bytes to send for an event to endpoints of each payload. The thin one says nothing about the business. */
export const bodiesOf = (event: EventRow, publicUrl: string): Readonly<Record<Payload, string>> => ({
  full: deliveryBody(event),
  thin: thinText(
    { eventId: event.id, type: event.type, at: event.detected_at },
    { event_url: eventUrl(publicUrl, event) },
  ),
});

const thinText = (
  { eventId, type, at }: { eventId: number; type: EventType; at: Date },
  data: ThinDeliveryBody["data"],
): string =>
  textOf({
    id: deliveredEventId(eventId),
    type,
    created: at.toISOString(),
    data,
  });

/**
 * The bytes of a test delivery, which `data.test` tells from a real one. A full one has the shape of a real event, for USDOT
 * number 0, which no business has; a thin one leads to no event.
 */
export const testDeliveryBody = (
  test: { eventId: number; type: EventType; queuedAt: Date },
  payload: Payload,
): string =>
  payload === "thin"
    ? thinText({ ...test, at: test.queuedAt }, { event_url: null, test: true })
    : fullTestBody(test);

const fullTestBody = (test: { eventId: number; type: EventType; queuedAt: Date }): string =>
  textOf({
    id: deliveredEventId(test.eventId),
    type: test.type,
    created: test.queuedAt.toISOString(),
    data: {
      usdot: "0",
      docket: null,
      state: null,
      occurred_at: null,
      source_dataset: "test",
      verify_method: null,
      data: { reason: "test delivery" },
      test: true,
    },
  });

type AnyBody =
  | DeliveryBody
  | ThinDeliveryBody
  | components["schemas"]["CorrectionDeliveryBody"]
  | components["schemas"]["ThinCorrectionDeliveryBody"];

const textOf = (body: AnyBody): string => JSON.stringify(body);
