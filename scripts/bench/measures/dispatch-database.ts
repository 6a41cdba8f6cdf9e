import { dispatching } from "../dispatch.ts";
import type { Measure } from "../measure.ts";
import { inRounds, spread } from "../rounds.ts";
import { median, rounded } from "../statistics.ts";

/** The part of a delivery that more dispatchers share: the database. */
export const dispatchDatabase: Measure = {
  name: "dispatch-database",
  what: "processor time of PostgreSQL for a delivery, from the event to the recorded result",
  against: null,
  target: { atMost: 30 },
  unit: "µs",
  run: async (bench) => {
    const { deliver, deliveries } = await dispatching(bench);
    const rounds = await inRounds(bench, "dispatch-database", () => deliver());
    const times = rounds.map(({ serverMicroseconds }) => serverMicroseconds);
    return { value: rounded(median(times)), details: { deliveries, server: spread(times, "µs") } };
  },
};
