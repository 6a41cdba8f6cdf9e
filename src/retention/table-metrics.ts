import { Gauge } from "prom-client";
import * as sql from "../generated/sql/retention.ts";
import type { Context } from "../platform/context.ts";
import { KEPT_TABLES } from "./kept-tables.ts";

/** Sizes change slowly, and several scrapes a minute need not ask again. */
const KNOWN_MS = 60_000;

const TABLES = KEPT_TABLES.flatMap(({ table, with: others = [] }) => [table, ...others]);

/** Adds size, rows, oldest row and upkeep of each table of the list to the metrics, over all processes. */
export function watchTables({ db, clock, metrics }: Pick<Context, "db" | "clock" | "metrics">): void {
  let known: Promise<sql.TableSizesRow[]> = Promise.resolve([]);
  let knownMs = Number.NEGATIVE_INFINITY;
  const sizes = () => {
    const nowMs = clock.now().getTime();
    if (Math.abs(nowMs - knownMs) >= KNOWN_MS) {
      knownMs = nowMs;
      // Without the database these gauges are empty; all other metrics are still served.
      known = sql.tableSizes(db.pool, { tables: TABLES }).catch(() => {
        knownMs = Number.NEGATIVE_INFINITY;
        return [];
      });
    }
    return known;
  };
  const addGauge = (name: string, help: string, toValue: (row: sql.TableSizesRow) => number | null) =>
    new Gauge({
      name,
      help,
      labelNames: ["table"],
      registers: [metrics.registry],
      async collect() {
        this.reset();
        for (const row of await sizes()) {
          const value = toValue(row);
          if (value !== null) this.set({ table: row.table }, value);
        }
      },
    });
  const secondsSince = (time: Date | null): number | null =>
    time === null ? null : Math.max(0, (clock.now().getTime() - time.getTime()) / 1000);
  addGauge(
    "tdf_table_bytes",
    "Size on disk of a table that is cleared by age, with its indexes.",
    ({ bytes }) => bytes,
  );
  addGauge("tdf_table_rows", "Rows of such a table, as PostgreSQL estimates them.", ({ rows }) => rows);
  addGauge(
    "tdf_table_oldest_row_seconds",
    "Age of the oldest row that upkeep left in such a table.",
    ({ oldestAt }) => secondsSince(oldestAt),
  );
  addGauge("tdf_table_upkeep_seconds", "Time since such a table was last cleared.", ({ finishedAt }) =>
    secondsSince(finishedAt),
  );
}
