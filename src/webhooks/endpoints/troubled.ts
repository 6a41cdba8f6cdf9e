import { Gauge } from "prom-client";
import * as sql from "../../generated/sql/webhooks/endpoints.ts";
import type { Context } from "../../platform/context.ts";

/** An endpoint of any account that is paused or whose newest delivery failed. */
export type TroubledEndpoint = sql.TroubledEndpointsRow;

/** The endpoints in trouble, those that were paused last first. */
export const listTroubledEndpoints = ({ db }: Context, most: number): Promise<TroubledEndpoint[]> =>
  sql.troubledEndpoints(db.pool, { most });

/** How many endpoints the service has paused since a time because their deliveries failed, and are still paused. */
export async function countPausedByFailures({ db }: Context, since: Date): Promise<number> {
  const rows = await sql.pausedByReason(db.pool, { since });
  return rows.find(({ reason }) => reason === "too_many_failures")?.lately ?? 0;
}

/** Adds the metric of paused endpoints. A scrape reads it. */
export function watchPausedEndpoints({
  db,
  clock,
  metrics,
}: Pick<Context, "db" | "clock" | "metrics">): void {
  new Gauge({
    name: "tdf_webhook_endpoints_paused",
    help: "Endpoints that are paused, by reason: too_many_failures, plan_changed, paused_by_customer.",
    labelNames: ["reason"],
    registers: [metrics.registry],
    async collect() {
      this.reset();
      const rows = await sql.pausedByReason(db.pool, { since: clock.now() }).catch(() => []);
      for (const { reason, endpoints } of rows) this.set({ reason }, endpoints);
    },
  });
}
