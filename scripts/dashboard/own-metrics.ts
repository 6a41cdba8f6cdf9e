import { Counter, Histogram } from "prom-client";
import { systemClock } from "../../src/platform/clock.ts";
import type { Context } from "../../src/platform/context.ts";
import { createMetrics } from "../../src/platform/metrics.ts";
import { watchTables } from "../../src/retention/table-metrics.ts";
import { watchEverything } from "../../src/watch/metrics.ts";

/** A metric of the program's own. */
export interface OwnMetric {
  name: string;
  help: string;
  kind: "counter" | "gauge" | "histogram";
  labels: readonly string[];
}

/** Every metric that a process of the service has, beside those of Node, in the order of their names. */
export function ownMetrics(): OwnMetric[] {
  const metrics = createMetrics();
  // Only a scrape reads the database.
  const context = { metrics, clock: systemClock, db: {} } as unknown as Context;
  watchEverything(context);
  watchTables(context);
  return metrics.registry
    .getMetricsAsArray()
    .map((metric) => {
      const { name, help, labelNames } = metric as unknown as {
        name: string;
        help: string;
        labelNames: readonly string[];
      };
      return { name, help, kind: kindOf(metric), labels: labelNames };
    })
    .filter(({ name }) => name.startsWith("tdf_"))
    .sort((one, other) => (one.name < other.name ? -1 : 1));
}

function kindOf(metric: object): OwnMetric["kind"] {
  if (metric instanceof Counter) return "counter";
  return metric instanceof Histogram ? "histogram" : "gauge";
}
