import { Gauge } from "prom-client";
import { dayNumber, dayOf } from "../../platform/clock.ts";
import type { Context } from "../../platform/context.ts";
import { FRESHNESS_DAYS } from "../../registry/freshness.ts";
import { type FeedState, feedStates } from "./feeds-list.ts";

/** Adds the age of each feed, its limit, and whether it is served. A scrape reads them. */
export function watchFeeds(context: Context): void {
  const registers = [context.metrics.registry];
  const addGauge = (name: string, help: string, toValue: (state: FeedState) => number | null) =>
    new Gauge({
      name,
      help,
      labelNames: ["feed"],
      registers,
      async collect() {
        this.reset();
        // The other metrics are needed even more while the database is not reachable.
        for (const state of await feedStates(context).catch(() => [])) {
          const value = toValue(state);
          if (value !== null) this.set({ feed: state.feed }, value);
        }
      },
    });
  addGauge(
    "tdf_feed_age_days",
    "Days since the newest day in a feed's version; none for a feed that was never live.",
    ({ asOf }) => (asOf === null ? null : dayNumber(dayOf(context.clock.now())) - dayNumber(asOf)),
  );
  addGauge(
    "tdf_feed_served",
    "1 while a feed is served, 0 while it is stale; none for a feed that was never live.",
    ({ asOf, isServed }) => (asOf === null ? null : Number(isServed)),
  );
  new Gauge({
    name: "tdf_feed_age_limit_days",
    help: "The most days of age at which a feed is still served.",
    registers,
  }).set(FRESHNESS_DAYS);
}
