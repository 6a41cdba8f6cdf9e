import { dispatching } from "../dispatch.ts";
import type { Measure } from "../measure.ts";
import { inRounds, ratioOf } from "../rounds.ts";

/** The dead endpoint accepts connections and never answers. */
export const dispatchDead: Measure = {
  name: "dispatch-dead",
  what: "how many webhook deliveries a second reach 49 endpoints while another one accepts connections and never answers",
  against: "deliveries to all fifty while each of them answers",
  target: { atLeast: 0.95 },
  unit: "×",
  run: async (bench) => {
    const { deliver, deliveries } = await dispatching(bench);
    const pairs = await inRounds(bench, "dispatch-dead", async () => ({
      subject: (await deliver({ isOneDead: true })).perSecond,
      limit: (await deliver()).perSecond,
    }));
    return ratioOf(pairs, "deliveries/s", { deliveries });
  },
};
