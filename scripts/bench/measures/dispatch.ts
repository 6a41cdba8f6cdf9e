import { dispatching } from "../dispatch.ts";
import type { Measure } from "../measure.ts";
import { inRounds, ratioOf } from "../rounds.ts";

/** Deliveries to fifty endpoints of twenty-five accounts, from the event to the result. */
export const dispatch: Measure = {
  name: "dispatch",
  what: "how many webhook deliveries a second are queued, signed, sent over https and recorded",
  against:
    "a plain loop on undici, which sends as many requests at once to the same receiver and records nothing",
  target: { atLeast: 0.45 },
  unit: "×",
  run: async (bench) => {
    const { deliver, sendBare, deliveries } = await dispatching(bench);
    const pairs = await inRounds(bench, "dispatch", async () => ({
      subject: (await deliver()).perSecond,
      limit: await sendBare(),
    }));
    return ratioOf(pairs, "deliveries/s", { deliveries });
  },
};
