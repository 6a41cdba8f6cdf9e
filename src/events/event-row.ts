import type { NewestRow } from "../generated/sql/events.ts";
import type { components } from "../generated/types.ts";

export type EventOut = components["schemas"]["EventOut"];

/** The columns of visible_event that customers see. */
export type EventRow = NewestRow;

export type EventData = components["schemas"]["EventData"];

export type CorrectionKind = components["schemas"]["CorrectionKind"];

/** The details of an event as the contract shows them: an unknown reason is left out, never null. */
export function eventData({ data }: Pick<EventRow, "data">): EventData {
  const { reason, ...others } = data;
  return reason === null ? others : data;
}

/** A row as the contract shows it. */
export const eventOut = (row: EventRow): EventOut => ({
  id: row.id,
  type: row.type,
  country: row.country,
  usdot: String(row.usdot),
  docket: row.docket,
  state: row.state,
  occurred_at: row.occurred_on,
  detected_at: row.detected_at.toISOString(),
  source_dataset: row.source_dataset,
  verify_method: row.verify_method,
  data: eventData(row),
});
