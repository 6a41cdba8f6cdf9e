import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";

export type Metrics = ReturnType<typeof createMetrics>;

let ofProcess: Registry | null = null;

/** The metrics of Node and of the process. They are made once: each set times the event loop and watches every collection. */
function metricsOfProcess(): Registry {
  if (ofProcess !== null) return ofProcess;
  ofProcess = new Registry();
  collectDefaultMetrics({ register: ofProcess });
  return ofProcess;
}

/** Makes the metrics that /metrics shows; their `help` says what they count. */
export function createMetrics() {
  const registry = Registry.merge([metricsOfProcess()]);
  const registers = [registry];
  return {
    registry,
    requestSeconds: new Histogram({
      name: "tdf_request_seconds",
      help: "Seconds a request took, by operation and status.",
      labelNames: ["operation", "status"],
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 60],
      registers,
    }),
    connectionsCut: new Counter({
      name: "tdf_connections_cut_total",
      help: "Connections cut because too many were open, by reason: made_room (for a new one), no_room (it was the new one).",
      labelNames: ["reason"],
      registers,
    }),
    rowsServed: new Counter({
      name: "tdf_rows_served_total",
      help: "Rows sent to customers, by feed and form.",
      labelNames: ["feed", "form"],
      registers,
    }),
    standbyReads: new Counter({
      name: "tdf_standby_reads_total",
      help:
        "Reads of versions' rows with DATABASE_READ_URL, by outcome: read (at the standby); or at the primary, because the " +
        "standby was down, was lagging (without the version), or failed.",
      labelNames: ["outcome"],
      registers,
    }),
    mails: mailCounter(registers),
    mailsWaiting: new Gauge({
      name: "tdf_mails_waiting",
      help: "Mails that are queued and not sent, of all processes together.",
      registers,
    }),
    mailsOldestWaitingSeconds: new Gauge({
      name: "tdf_mails_oldest_waiting_seconds",
      help: "Seconds that the oldest queued mail has waited, over all processes; 0 when none waits.",
      registers,
    }),
    mailsFailed: new Gauge({
      name: "tdf_mails_failed",
      help: "Mails that were given up and are not deleted yet, over all processes.",
      registers,
    }),
    ...webhookMetrics(registers),
  };
}

/** Has each outcome from the start: in a series that begins at 1 Prometheus sees no increase, and an alert would miss it. */
function mailCounter(registers: Registry[]) {
  const mails = new Counter({
    name: "tdf_mails_total",
    help: "Tries of mails, by outcome: sent, not_taken (tried again later), given_up.",
    labelNames: ["outcome"],
    registers,
  });
  for (const outcome of ["sent", "not_taken", "given_up"]) mails.inc({ outcome }, 0);
  return mails;
}

const webhookMetrics = (registers: Registry[]) => ({
  deliveriesQueued: new Counter({
    name: "tdf_webhook_deliveries_queued_total",
    help: "Webhook deliveries queued for new events.",
    registers,
  }),
  fanOutSeconds: new Histogram({
    name: "tdf_webhook_fan_out_seconds",
    help: "Seconds that a statement took to queue the deliveries of new events.",
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
    registers,
  }),
  deliveries: new Counter({
    name: "tdf_webhook_deliveries_total",
    help:
      "Webhook deliveries by outcome: delivered, retried, failed, cancelled_paused, cancelled_plan_changed, " +
      "cancelled_removed, cancelled_unsubscribed, cancelled_deleted, lease_over (another process died; this one counts once for each), overtaken (ended after this process was presumed dead).",
    labelNames: ["outcome"],
    registers,
  }),
  attemptSeconds: new Histogram({
    name: "tdf_webhook_attempt_seconds",
    help: "Seconds an attempt to deliver took.",
    buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15],
    registers,
  }),
  signingSeconds: new Histogram({
    name: "tdf_webhook_signing_seconds",
    help: "Seconds it took to sign a delivery.",
    buckets: [0.00001, 0.000025, 0.00005, 0.0001, 0.0005, 0.001, 0.01],
    registers,
  }),
  deliveriesInFlight: new Gauge({
    name: "tdf_webhook_deliveries_in_flight",
    help: "Webhook deliveries this process has in flight.",
    registers,
  }),
  clockSkewSeconds: new Gauge({
    name: "tdf_clock_skew_seconds",
    help: "How far the database's clock is ahead of this machine's clock, in seconds.",
    registers,
  }),
});
