import { Gauge } from "prom-client";
import * as sql from "../../generated/sql/webhooks/endpoints.ts";
import { DAY_MS } from "../../platform/clock.ts";
import type { Context } from "../../platform/context.ts";
import { PAUSE_REASONS } from "./pause-or-delete.ts";

/** An endpoint of any account that is paused or whose newest delivery failed. */
export type TroubledEndpoint = sql.TroubledEndpointsRow;

/** The endpoints in trouble, those that were paused last first. */
export const listTroubledEndpoints = ({ db }: Context, most: number): Promise<TroubledEndpoint[]> =>
  sql.troubledEndpoints(db.pool, { most });

/** Endpoints that were paused in these last days are counted as paused lately. */
export const LATELY_DAYS = 7;

async function pausedByReason({
  db,
  clock,
}: Pick<Context, "db" | "clock">): Promise<sql.PausedByReasonRow[]> {
  const since = new Date(clock.now().getTime() - LATELY_DAYS * DAY_MS);
  return sql.pausedByReason(db.pool, { since });
}

/** How many endpoints the service paused lately because their deliveries failed, and are still paused. */
export async function countPausedByFailures(context: Context): Promise<number> {
  return latelyByFailures(await pausedByReason(context));
}

const latelyByFailures = (rows: readonly sql.PausedByReasonRow[]): number =>
  rows.find(({ reason }) => reason === "too_many_failures")?.lately ?? 0;

/** Adds the metrics of paused endpoints. A scrape reads them. */
export function watchPausedEndpoints(context: Pick<Context, "db" | "clock" | "metrics">): void {
  const registers = [context.metrics.registry];
  new Gauge({
    name: "tdf_webhook_endpoints_paused",
    help: `Endpoints that are paused, by reason: ${PAUSE_REASONS.join(", ")}.`,
    labelNames: ["reason"],
    registers,
    async collect() {
      this.reset();
      const rows = await pausedByReason(context).catch(() => []);
      for (const { reason, endpoints } of rows) this.set({ reason }, endpoints);
    },
  });
  new Gauge({
    name: "tdf_webhook_endpoints_paused_lately",
    help: `Endpoints that were paused within ${LATELY_DAYS} days because their deliveries failed, and still are.`,
    registers,
    async collect() {
      this.set(await pausedByReason(context).then(latelyByFailures, () => Number.NaN));
    },
  });
}
