import { openDispatching } from "../dispatch.ts";
import type { Measure } from "../measure.ts";
import { inRounds, ratioOf } from "../rounds.ts";

/** As long as a receiver far away takes to answer. */
const ANSWER_MS = 50;

/** Where receivers are the limit, a second process must double what is sent. */
export const dispatchTwo: Measure = {
  name: "dispatch-two",
  what: `deliveries of two dispatchers to 500 endpoints of 200 accounts that answer after ${ANSWER_MS} ms; a second`,
  against: "deliveries of one dispatcher",
  target: { atLeast: 1.7 },
  unit: "×",
  run: async (bench) => {
    const { startDispatcher, receiver, deliver, deliveries } = await openDispatching(bench, {
      accounts: 200,
      endpoints: 500,
    });
    await receiver.ask({ kind: "delay", ms: ANSWER_MS });
    await startDispatcher();
    await deliver();
    const alone = await inRounds(bench, "dispatch-two (one)", async () => (await deliver()).perSecond);
    await startDispatcher();
    await deliver();
    const together = await inRounds(bench, "dispatch-two (two)", async () => (await deliver()).perSecond);
    const pairs = together.map((subject, round) => ({ subject, limit: alone[round] as number }));
    return ratioOf(pairs, "deliveries/s", { deliveries });
  },
};
