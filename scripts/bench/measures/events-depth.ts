import type { Measure } from "../frame/measure.ts";
import { inRounds, ratioOf } from "../frame/rounds.ts";
import { latenciesOf } from "../programs/load-generator.ts";
import { eventsPath, servedEvents } from "../setup/events.ts";

/** Without and with a filter; the worse result counts. */
export const eventsDepth: Measure = {
  name: "events-depth",
  what: "how long a page of 100 events takes after three million others, without and with a filter; the slower one counts",
  against: "the first page",
  target: { atMost: 1.2 },
  unit: "×",
  run: async (bench) => {
    const { service, customer, events, cursorAt } = await servedEvents(bench);
    const { requests } = bench.sizes;
    const compare = (filter: string) =>
      inRounds(bench, `events-depth ${filter}`, async (round) => {
        const indexes = Array.from({ length: requests }, (_, index) => round * requests + index);
        const [subject = 0, limit = 0] = await latenciesOf(bench, service.url, customer.headers, [
          indexes.map((index) => eventsPath(cursorAt(events - 200 - index), filter)),
          indexes.map((index) => eventsPath(cursorAt(index), filter)),
        ]);
        return { subject, limit };
      });
    const whole = ratioOf(await compare(""), "ms");
    const filtered = ratioOf(await compare("&type=reinstated,authority_inactive&state=TX,CA,FL"), "ms");
    return {
      value: Math.max(whole.value, filtered.value),
      details: {
        events,
        whole: { ratio: whole.value, ...whole.details },
        filtered: { ratio: filtered.value, ...filtered.details },
      },
    };
  },
};
