import { createServer, type RequestListener, type Server } from "node:http";
import express, { type Application, type ErrorRequestHandler } from "express";
import type { Handlers } from "../generated/operations.ts";
import type { EntryContext } from "../platform/context.ts";
import { ProblemError } from "../platform/http/problem.ts";
import { boundConnections } from "./connection/connections.ts";
import { setSilence } from "./connection/patience.ts";
import { refuseConnection } from "./connection/refused-connection.ts";
import { requireHost } from "./connection/require-host.ts";
import { isStopping } from "./connection/stop.ts";
import { type Contract, loadContract } from "./contract/contract.ts";
import { openExchange } from "./exchange.ts";
import { handlers as allHandlers } from "./handlers/index.ts";
import { routeHealth, routeMetrics } from "./health.ts";
import { refuseRequest } from "./known-key.ts";
import type { PlainHandler, Route } from "./pipeline.ts";
import { answerError } from "./problem-answer.ts";
import { routeOperations, routesOf } from "./routes.ts";

/** What the server serves: by default every operation, no tools and no pages. */
export interface Served {
  /** An operation without a handler is not routed. */
  handlers?: Partial<Handlers>;
  /** Routes the tools for AI agents, which run operations. */
  routeTools?: (app: Application, context: EntryContext, routes: readonly Route[]) => void;
  /** Routes the pages for people. */
  routePages?: (app: Application, context: EntryContext, contract: Contract) => void;
}

/** Creates the application with every route. */
export async function createApi(
  context: EntryContext,
  { handlers = allHandlers, routeTools, routePages }: Served = {},
): Promise<Application> {
  const contract = await loadContract();
  const app = openApplication(context);
  const routes = routesOf(contract, handlers as unknown as Record<string, PlainHandler>);
  routeOperations(app, context, routes);
  routeTools?.(app, context, routes);
  routeHealth(app, context, () => isStopping(app));
  if (context.config.adminPort === null) routeMetrics(app, context);
  routePages?.(app, context, contract);
  return closeApplication(app, context);
}

/** Creates the application of ADMIN_PORT: health and metrics, nothing for customers. */
export function createAdmin(context: EntryContext, isProcessStopping: () => boolean): Application {
  const app = openApplication(context);
  routeHealth(app, context, isProcessStopping);
  routeMetrics(app, context);
  return closeApplication(app, context);
}

function openApplication(context: EntryContext): Application {
  const app = express();
  app.disable("x-powered-by");
  // Our ETags name the feed version, not the bytes.
  app.disable("etag");
  app.enable("strict routing");
  app.enable("case sensitive routing");
  // `input.ts` parses the query itself.
  app.set("query parser", false);
  app.use(openExchange(context));
  app.use(requireHost(context));
  return app;
}

function closeApplication(app: Application, context: EntryContext): Application {
  app.use((request, response) =>
    refuseRequest(
      context,
      request,
      response,
      new ProblemError("not_found", "There is nothing at this path."),
    ),
  );
  app.use(lastResort(context));
  return app;
}

// Express refuses a path that it cannot decode before it reaches our routes.
const lastResort =
  (context: EntryContext): ErrorRequestHandler =>
  (error, request, response, _next) => {
    if (!(error instanceof URIError)) return answerError(context, response, error);
    const detail = "The path's percent-encoding cannot be decoded.";
    return refuseRequest(context, request, response, new ProblemError("bad_request", detail));
  };

/** Limits of connections; each has a default. */
export interface Bounds {
  headersTimeoutMs?: number;
  requestTimeoutMs?: number;
  /** How long a connection may be idle. It must be longer than a proxy in front keeps an idle connection. */
  idleTimeoutMs?: number;
  /** How long a connection may be silent while a request is answered. */
  silenceTimeoutMs?: number;
  /** How long the reader of an export may take nothing; by default `silenceTimeoutMs`. */
  readerSilenceMs?: number;
  /** How long a refused connection stays open, so that its client can read why. */
  lingerTimeoutMs?: number;
  mostConnections?: number;
}

/** Starts listening; port 0 takes a free one. */
export async function listen(
  context: EntryContext,
  app: Application,
  { host, port }: { host: string; port: number },
  bounds: Bounds = {},
): Promise<Server> {
  const { headersTimeoutMs = 10_000, requestTimeoutMs = 30_000, idleTimeoutMs = 65_000 } = bounds;
  const { silenceTimeoutMs = 300_000, lingerTimeoutMs = 1_000, mostConnections = 2_000 } = bounds;
  setSilence(app, bounds.readerSilenceMs ?? silenceTimeoutMs);
  const serve: RequestListener = (request, response) => {
    request.url = originForm(request.url ?? "/");
    app(request, response);
  };
  const server = createServer(
    {
      maxHeaderSize: 16 * 1024,
      headersTimeout: headersTimeoutMs,
      requestTimeout: requestTimeoutMs,
      keepAliveTimeout: idleTimeoutMs,
      connectionsCheckingInterval: Math.min(1_000, headersTimeoutMs),
      // Node would answer a missing Host and an unknown Expect itself, in other words than the contract's.
      requireHostHeader: false,
    },
    serve,
  );
  server.on("checkExpectation", serve);
  server.on("clientError", (error, socket) => refuseConnection(context, error, socket, lingerTimeoutMs));
  server.timeout = silenceTimeoutMs;
  boundConnections(context, server, mostConnections);
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject).listen(port, host, resolve);
  });
  return server;
}

// A target without a path would reach none of our handlers: Express would answer it in its own words.
function originForm(target: string): string {
  if (target.startsWith("/")) return target;
  const url = URL.parse(target);
  return url?.protocol.startsWith("http") ? url.pathname + url.search : `/${target}`;
}
