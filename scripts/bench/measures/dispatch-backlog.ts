import { setTimeout as wait } from "node:timers/promises";
import type pg from "pg";
import type { Bench } from "../frame/bench.ts";
import type { Measure } from "../frame/measure.ts";
import { inRounds, ratioOf } from "../frame/rounds.ts";
import { type Dispatching, openDispatching } from "../setup/dispatch.ts";

const ENDPOINTS_PER_ACCOUNT = 5;
const EVERY_MS = 5;

/** A dispatcher that starts after an outage finds millions of deliveries: it must not become slower by their number. */
export const dispatchBacklog: Measure = {
  name: "dispatch-backlog",
  what: "how many webhook deliveries a second are sent and recorded while 5 million others to 10,000 endpoints wait",
  against: "deliveries to the same endpoints while no others wait",
  target: { atLeast: 0.9 },
  unit: "×",
  run: async (bench) => {
    const { deliveries, endpoints } = bench.sizes.backlog;
    const opened = await openDispatching(bench, { accounts: endpoints / ENDPOINTS_PER_ACCOUNT, endpoints });
    const first = await opened.startDispatcher();
    await opened.deliver();
    const empty = await inRounds(
      bench,
      "dispatch-backlog (empty)",
      async () => (await opened.deliver()).perSecond,
    );
    await opened.stopDispatcher(first);
    bench.say(`  writing ${deliveries} deliveries`);
    await writeBacklog(opened.client, deliveries / endpoints);
    const last = await opened.startDispatcher();
    const rates = await ratesOf(bench, opened);
    await opened.stopDispatcher(last);
    const pairs = rates.map((subject, round) => ({ subject, limit: empty[round] as number }));
    return ratioOf(pairs, "deliveries/s", { backlog: deliveries, endpoints });
  },
};

/** Deliveries of the newest event to each endpoint, so many that a dispatcher that starts finds them all waiting. */
async function writeBacklog(client: pg.Client, each: number): Promise<void> {
  await client.query(
    `INSERT INTO webhook_delivery (endpoint_id, account_id, event_id, event_type, created_at)
     SELECT endpoint.id, endpoint.account_id, event.id, event.type, now()
     FROM generate_series(1, $1::int) AS n CROSS JOIN webhook_endpoint AS endpoint
     CROSS JOIN (SELECT id, type FROM event ORDER BY id DESC LIMIT 1) AS event
     ORDER BY n, endpoint.id`,
    [each],
  );
  await client.query("VACUUM ANALYZE webhook_delivery");
}

/** Answered deliveries a second, as many in each round as there are in a round without a backlog. */
async function ratesOf(bench: Bench, { receiver, deliveries }: Dispatching): Promise<number[]> {
  const answered = () => receiver.ask<number>({ kind: "answered" });
  const until = async (count: number) => {
    while ((await answered()) < count) await wait(EVERY_MS);
  };
  const before = await answered();
  await until(before + 1);
  return inRounds(bench, "dispatch-backlog (full)", async () => {
    const [from, startedAtMs] = [await answered(), performance.now()];
    await until(from + deliveries);
    return deliveries / ((performance.now() - startedAtMs) / 1000);
  });
}
