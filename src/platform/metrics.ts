import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";

/** What /metrics shows. */
export interface Metrics {
  registry: Registry;
  /** Seconds a request took, by operation and status. */
  requestSeconds: Histogram<"operation" | "status">;
  /** Rows answered to customers, by feed and form (json, csv). */
  rowsServed: Counter<"feed" | "form">;
  /** Tries of mails, by outcome: sent, not_taken (tried again later), given_up. */
  mails: Counter<"outcome">;
  /** Mails queued and not sent yet, of all processes together. */
  mailsWaiting: Gauge;
}

export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  return {
    registry,
    requestSeconds: new Histogram({
      name: "tdf_request_seconds",
      help: "Seconds a request took, by operation and status.",
      labelNames: ["operation", "status"],
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 60],
      registers: [registry],
    }),
    rowsServed: new Counter({
      name: "tdf_rows_served_total",
      help: "Rows answered to customers, by feed and form.",
      labelNames: ["feed", "form"],
      registers: [registry],
    }),
    mails: new Counter({
      name: "tdf_mails_total",
      help: "Tries of mails, by outcome: sent, not_taken (tried again later), given_up.",
      labelNames: ["outcome"],
      registers: [registry],
    }),
    mailsWaiting: new Gauge({
      name: "tdf_mails_waiting",
      help: "Mails queued and not sent yet, of all processes together.",
      registers: [registry],
    }),
  };
}
