import { Gauge } from "prom-client";
import * as sql from "../generated/sql/registry.ts";
import { dayNumber, dayOf } from "../platform/clock.ts";
import type { Context } from "../platform/context.ts";
import type { Queryable } from "../platform/database/statement.ts";
import { DATASETS, type Dataset, isLegacy, LEGACY_FROZEN_ON, OPTIONAL_DATASETS } from "./datasets.ts";

/** A live file is old when it is older than this: the registry publishes each of them every day. */
const OLD_AFTER_DAYS = 7;

/** What an optional live file says is no longer known when it is this much older than the feed's as-of day. */
const UNKNOWN_AFTER_DAYS = 30;

/** A registry file, and how current it is. */
export interface SourceState {
  dataset: Dataset;
  /** The rows of a frozen file never change again. */
  kind: "live" | "frozen";
  /** The import can do without it. */
  isOptional: boolean;
  /** Null before the first import; so are the next two. */
  rows: number | null;
  importedAt: Date | null;
  /** The newest day in its rows. If they have none: the day of the last import for which the file had changed. */
  asOf: string | null;
  /** A live file whose day is more than OLD_AFTER_DAYS before today. */
  isOld: boolean;
}

/** Every registry file that is read, imported or not. `today`: YYYY-MM-DD. */
export async function listSourceStates(client: Queryable, today: string): Promise<SourceState[]> {
  const rows = await sql.listSources(client);
  const sources = new Map(rows.map((row) => [row.dataset, row]));
  return DATASETS.map((dataset) => {
    const source = sources.get(dataset);
    const isFrozen = isLegacy(dataset);
    const changedOn = isFrozen ? LEGACY_FROZEN_ON : source?.changedOn;
    const asOf = source ? (source.newestRowOn ?? changedOn ?? null) : null;
    return {
      dataset,
      kind: isFrozen ? "frozen" : "live",
      isOptional: OPTIONAL_DATASETS.has(dataset),
      rows: source?.rows ?? null,
      importedAt: source?.importedAt ?? null,
      asOf,
      isOld: !isFrozen && asOf !== null && dayNumber(today) - dayNumber(asOf) > OLD_AFTER_DAYS,
    };
  });
}

/**
 * The optional files that say what is true on a day: they were imported, and a live one is at most UNKNOWN_AFTER_DAYS
 * older than that day.
 */
export async function knownOptionalSources(client: Queryable, asOf: string): Promise<Dataset[]> {
  const states = await listSourceStates(client, asOf);
  return states
    .filter(({ isOptional, kind, asOf: day }) => {
      if (!isOptional || day === null) return false;
      return kind === "frozen" || dayNumber(asOf) - dayNumber(day) <= UNKNOWN_AFTER_DAYS;
    })
    .map(({ dataset }) => dataset);
}

/** Adds a metric: the age of each live file in days. */
export function watchSourceAges({ db, clock, metrics }: Pick<Context, "db" | "clock" | "metrics">): void {
  new Gauge({
    name: "tdf_source_age_days",
    help: "Days since the newest day of each live registry file, by dataset; none for a file that was never imported.",
    labelNames: ["dataset"],
    registers: [metrics.registry],
    async collect() {
      this.reset();
      const today = dayOf(clock.now());
      // The other metrics are needed even more while the database is not reachable.
      const states = await listSourceStates(db.pool, today).catch(() => []);
      for (const { dataset, kind, asOf } of states)
        if (kind === "live" && asOf !== null) this.set({ dataset }, dayNumber(today) - dayNumber(asOf));
    },
  });
}
