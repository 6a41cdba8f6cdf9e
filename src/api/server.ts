import { createServer, IncomingMessage, type RequestListener, type Server, ServerResponse } from "node:http";
import express, {
  type Application,
  type ErrorRequestHandler,
  type Express,
  type Request,
  type RequestHandler,
  type Response,
} from "express";
import { handlers as allHandlers } from "../generated/handlers.ts";
import type { Handlers } from "../generated/operations.ts";
import type { EntryContext } from "../platform/context.ts";
import { isDatabaseReady } from "../platform/database/readiness.ts";
import { ProblemError } from "../platform/http/problem.ts";
import { boundConnections, refuseConnection } from "./connection/connections.ts";
import { setSilence } from "./connection/patience.ts";
import { afterTaking, isStopping } from "./connection/stop.ts";
import { openPipeline, type Pipeline } from "./contract/pipeline.ts";
import { notFound, undecodable } from "./contract/problems.ts";
import { exchangeOf, openExchange } from "./exchange.ts";
import { serveOperations } from "./operations.ts";
import { answerError } from "./problem-answer.ts";
import { routePage } from "./routes.ts";
import { refuseOutside } from "./test-mode.ts";

/** The parts of the server: by default every operation, no tools and no pages. */
export interface Served {
  handlers?: Handlers;
  /** Routes the tools for AI agents, which run operations. */
  routeTools?: (app: Application, context: EntryContext, pipeline: Pipeline) => void;
  /** Routes the pages for people. */
  routePages?: (app: Application, context: EntryContext) => void;
}

/** Creates the application with every route. */
export async function createApi(
  context: EntryContext,
  { handlers = allHandlers, routeTools, routePages }: Served = {},
): Promise<Express> {
  const app = openApplication(context);
  const pipeline = await openPipeline(handlers);
  app.use(serveOperations(context, pipeline));
  routeTools?.(app, context, pipeline);
  routeHealth(app, context, () => isStopping(app));
  if (context.config.adminPort === null) routeMetrics(app, context);
  routePages?.(app, context);
  return closeApplication(app, context);
}

/** Creates the application of ADMIN_PORT: health and metrics, nothing for customers. */
export function createAdmin(context: EntryContext, isProcessStopping: () => boolean): Express {
  const app = openApplication(context);
  routeHealth(app, context, isProcessStopping);
  routeMetrics(app, context);
  return closeApplication(app, context);
}

function openApplication(context: EntryContext): Express {
  const app = express();
  app.disable("x-powered-by");
  // Our ETags name the feed version, not the bytes.
  app.disable("etag");
  app.enable("strict routing");
  app.enable("case sensitive routing");
  // `input.ts` parses the query itself.
  app.set("query parser", false);
  app.use((_request, response, next) => {
    if (!isStopping(app)) return next();
    // Later requests go to another process.
    response.setHeader("Connection", "close");
    afterTaking(app, next);
  });
  app.use(openExchange(context));
  app.use(requireHost(context));
  return app;
}

function closeApplication(app: Express, context: EntryContext): Express {
  app.use((request, response) => refuseOutside(context, request, response, notFound()));
  app.use(lastResort(context));
  return app;
}

// Express refuses a path that it cannot decode before it reaches our routes.
const lastResort =
  (context: EntryContext): ErrorRequestHandler =>
  (error, request, response, _next) => {
    if (!(error instanceof URIError)) return answerError(context, response, error);
    return refuseOutside(context, request, response, undecodable());
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
  app: Express,
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
      ...classesOf(app),
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
  const hasKey = (answer: ServerResponse) => exchangeOf(answer as Response).caller !== null;
  boundConnections(context, server, { mostConnections, hasKey });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject).listen(port, host, resolve);
  });
  return server;
}

/**
 * Node's classes of requests and answers with Express's methods. Express changes the prototype of each object that has
 * another one, and after such a change V8 finds all its properties slowly: some 10 µs of each request went there.
 */
function classesOf(app: Express) {
  class ExpressRequest extends IncomingMessage {}
  class ExpressResponse<T extends IncomingMessage> extends ServerResponse<T> {}
  Object.setPrototypeOf(ExpressRequest.prototype, app.request);
  Object.setPrototypeOf(ExpressResponse.prototype, app.response);
  app.request = ExpressRequest.prototype as Request;
  app.response = ExpressResponse.prototype as Response;
  return { IncomingMessage: ExpressRequest, ServerResponse: ExpressResponse };
}

// A target without a path would reach none of our handlers: Express would answer it in its own words.
function originForm(target: string): string {
  if (target.startsWith("/")) return target;
  const url = URL.parse(target);
  return url?.protocol.startsWith("http") ? url.pathname + url.search : `/${target}`;
}

/** A name or an address, with an optional port. Empty when the request target has no host (RFC 9112, section 3.2). */
const HOST = /^(?:\[[0-9A-Fa-f:.]+\]|[\w.~!$&'()*+,;=%-]*)(?::\d*)?$/;

/**
 * Refuses a request without a Host header or with several: a proxy in front might read another host than we do. Only
 * HTTP/1.0 may leave it out.
 */
const requireHost =
  (context: EntryContext): RequestHandler =>
  (request, response, next) => {
    const mistake = mistakeIn(request);
    if (mistake === null) return next();
    response.setHeader("Connection", "close");
    answerError(context, response, new ProblemError("bad_request", mistake));
  };

function mistakeIn({ rawHeaders, httpVersion }: IncomingMessage): string | null {
  // `headers` holds only the first of several.
  const hosts = rawHeaders.filter((_text, index) => index % 2 === 1 && isHost(rawHeaders[index - 1]));
  if (hosts.length > 1) return "The request has the header Host more than once.";
  const [host] = hosts;
  if (host === undefined) return httpVersion === "1.1" ? "The request has no header Host." : null;
  return HOST.test(host) ? null : "The header Host is not a valid name or address.";
}

const isHost = (name = ""): boolean => name.length === 4 && name.toLowerCase() === "host";

/** Routes the health checks of load balancers: whether the process lives, and whether it may get requests. */
function routeHealth(app: Application, context: EntryContext, isStopping: () => boolean): void {
  routePage(app, context, "/healthz", "health", (_request, response) => send(response, 200, "ok"));
  routePage(app, context, "/readyz", "health", async (_request, response) => {
    if (isStopping()) return send(response, 503, "stopping");
    if (await isDatabaseReady(context)) return send(response, 200, "ready");
    send(response, 503, "the database does not answer or is not migrated");
  });
}

/** Routes the metrics of the process, for Prometheus. */
function routeMetrics(app: Application, context: EntryContext): void {
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
