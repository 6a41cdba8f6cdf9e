// The MCP server, for AI agents. Its tools run operations of the API as their caller would: same key, limits and quota. It
// keeps no session and owns no table. It promises that each tool call tells its cost, and that no tool changes anything.
import type { Application, Request, RequestHandler } from "express";
import { sendBytes } from "../api/answer.ts";
import { readJsonBody } from "../api/body.ts";
import type { Pipeline } from "../api/contract/pipeline.ts";
import { exchangeOf } from "../api/exchange.ts";
import { countAdmitted, knownKey, requireRate } from "../api/known-key.ts";
import { answerError } from "../api/problem-answer.ts";
import { routePost } from "../api/routes.ts";
import { contextFor, requireKnownSituation } from "../api/test-mode.ts";
import type { EntryContext } from "../platform/context.ts";
import { ProblemError } from "../platform/http/problem.ts";
import type { Call } from "./call-tool.ts";
import { declaredTools, type Tools } from "./tools.ts";

const HOW_TO_SEND_A_KEY = "in the header X-API-Key, or as Authorization: Bearer <key>";

/** Routes the MCP server. Every message needs a key, and counts as a request of it. */
export function routeMcp(app: Application, live: EntryContext, pipeline: Pipeline): void {
  const tools = declaredTools();
  const serve: RequestHandler = async (request, response) => {
    let context = live;
    try {
      const presented = presentedKey(request);
      context = await contextFor(live, presented, response);
      await requireKnownSituation(context, presented, response);
      const key = await knownKey(context, response, presented, HOW_TO_SEND_A_KEY);
      if (key.outcome === "admitted") countAdmitted(context, response, key);
      const call: Call = { context, response, key, pipeline };
      const answer = await answerTo(tools, call, request).finally(() => refuseAboveRate(call));
      const type = answer.headers.get("content-type");
      const bytes = Buffer.from(await answer.arrayBuffer());
      response.status(answer.status);
      if (type !== null) response.setHeader("Content-Type", type);
      await sendBytes(request, response, bytes);
    } catch (error) {
      answerError(context, response, error);
    }
  };
  routePost(app, live, "/mcp", "mcp", serve, presentedKey);
}

async function answerTo(tools: Tools, call: Call, request: Request): Promise<globalThis.Response> {
  refuseOtherSites(call.context, request);
  // Loaded with the first message: the library with its schemas takes 12 MB, and most processes are asked by no agent.
  const { answerMessage, serverOf } = await import("./protocol.ts");
  return answerMessage(serverOf(tools, call), request, await readMessage(request));
}

/** Above the rate, only a tool answers: it tells the model when to call again. Any other message is refused. */
function refuseAboveRate({ context, response, key }: Call): void {
  if (exchangeOf(response).toolProblem === undefined) requireRate(context, key);
}

/** MCP clients can set a bearer token even where they offer no other header. */
const presentedKey = (request: Request): string | undefined =>
  request.get("x-api-key") ?? /^Bearer +(\S+)$/i.exec(request.get("authorization") ?? "")?.[1];

/** Programs send no Origin. A browser sends the origin of the page that the request comes from. */
function refuseOtherSites({ config }: EntryContext, request: Request): void {
  const origin = request.get("origin");
  if (origin === undefined || origin === new URL(config.publicUrl).origin) return;
  throw new ProblemError(
    "foreign_origin",
    "Pages of other sites may not use this address from a browser. Call it from a program or a server.",
  );
}

// Revisions since 2025-06-18 have no batches. Each call is one request, so that it counts as one.
async function readMessage(request: Request): Promise<unknown> {
  const message = await readJsonBody(request);
  if (Array.isArray(message))
    throw new ProblemError("bad_request", "Send one message in each request: this server takes no batches.");
  return message;
}
