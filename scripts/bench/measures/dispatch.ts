import type { Measure } from "../frame/measure.ts";
import { inRounds, ratioOf, spread } from "../frame/rounds.ts";
import { median, rounded } from "../frame/statistics.ts";
import { dispatching, openDispatching } from "../setup/dispatch.ts";

/** Deliveries to fifty endpoints of twenty-five accounts, from the event to the result. */
const dispatch: Measure = {
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

/** The part of a delivery that more dispatchers share: the database. */
const dispatchDatabase: Measure = {
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

/** The dead endpoint accepts connections and never answers. */
const dispatchDead: Measure = {
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

/** As long as a receiver far away takes to answer. */
const ANSWER_MS = 50;

/** Where receivers are the limit, a second process must double what is sent. */
const dispatchTwo: Measure = {
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

export const DISPATCHES: readonly Measure[] = [dispatch, dispatchDatabase, dispatchDead, dispatchTwo];
