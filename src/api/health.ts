import type { Application, Response } from "express";
import type { EntryContext } from "../platform/context.ts";
import { isDatabaseReady } from "../platform/database/readiness.ts";
import { routePage } from "./routes.ts";

/** Routes the health checks of load balancers: whether the process lives, and whether it may get requests. */
export function routeHealth(app: Application, context: EntryContext, isStopping: () => boolean): void {
  routePage(app, context, "/healthz", "health", (_request, response) => send(response, 200, "ok"));
  routePage(app, context, "/readyz", "health", async (_request, response) => {
    if (isStopping()) return send(response, 503, "stopping");
    if (await isDatabaseReady(context)) return send(response, 200, "ready");
    send(response, 503, "the database does not answer or is not migrated");
  });
}

/** Routes the metrics of the process, for Prometheus. */
export function routeMetrics(app: Application, context: EntryContext): void {
  routePage(app, context, "/metrics", "metrics", async (_request, response) => {
    const { registry } = context.metrics;
    response.setHeader("Content-Type", registry.contentType);
    response.end(await registry.metrics());
  });
}

function send(response: Response, status: number, word: string): void {
  response.status(status).setHeader("Content-Type", "application/json");
  response.end(`${JSON.stringify({ status: word })}\n`);
}
