import type { eventsByDay } from "../../../../events/by-day.ts";
import { type EventType, eventTypeLabel } from "../../../../events/event-types.ts";
import { countOf } from "../../../../platform/plural.ts";
import { barChart, type Chart } from "../../../kit/chart.ts";
import type { Html } from "../../../kit/html.ts";

/** Each type has a colour of its own, which its bars keep whatever the plan includes. */
const TONES: Readonly<Record<EventType, Chart["series"][number]["tone"]>> = {
  new_authority_granted: "good",
  insurance_cancellation_suspension: "bad",
  revocation_pending: "warn",
  reinstated: "accent",
  authority_inactive: "soft",
};

/** The events of the plan by day and type. Nothing when there was none. */
export const eventsChart = ({ types, days }: Awaited<ReturnType<typeof eventsByDay>>): Html | false =>
  days.some(({ counts }) => counts.some((count) => count > 0)) &&
  barChart({
    title: `Events noticed in the last ${countOf(days.length, "day")}`,
    nameOfBars: "Noticed",
    none: "No event was noticed.",
    series: types.map((type) => ({ name: eventTypeLabel(type), tone: TONES[type] })),
    bars: days.map(({ day, counts }, index) => ({
      name: day,
      values: counts,
      isOpen: index === days.length - 1,
    })),
  });
