import { changeSentence } from "../../../carriers/change-words.ts";
import { eventSentence } from "../../../events/event-sentence.ts";
import type { components } from "../../../generated/types.ts";

type DeliveryBody = components["schemas"]["DeliveryBody"];
type CorrectionDeliveryBody = components["schemas"]["CorrectionDeliveryBody"];
type ChangeDeliveryBody = components["schemas"]["ChangeDeliveryBody"];
/** The body of a delivery. */
export type AnyBody =
  | DeliveryBody
  | components["schemas"]["ThinDeliveryBody"]
  | CorrectionDeliveryBody
  | components["schemas"]["ThinCorrectionDeliveryBody"]
  | components["schemas"]["ChangeDeliveryBody"]
  | components["schemas"]["ThinChangeDeliveryBody"];

/** The event or change as a sentence; a thin body tells none. */
export function sentenceOf(body: AnyBody): string | null {
  const { data } = body;
  if ("event" in data) return eventSentence((body as CorrectionDeliveryBody).data.event);
  if ("change" in data) {
    const { change } = (body as ChangeDeliveryBody).data;
    return `USDOT number ${change.usdot}: ${changeSentence(change)}.`;
  }
  if (!("usdot" in data)) return null;
  const { type, created, data: event } = body as DeliveryBody;
  return eventSentence({ type, detected_at: created, ...event });
}
