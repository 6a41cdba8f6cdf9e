import type { Request, RequestHandler, Response } from "express";
import { type Operation, operationTable } from "../generated/operations.ts";
import type { EntryContext } from "../platform/context.ts";
import { clientAddressOf } from "../platform/http/client.ts";
import { sendAnswer } from "./answer.ts";
import { readJsonBody, refuseBody } from "./body.ts";
import type { Call, Pipeline } from "./contract/pipeline.ts";
import { undecodable } from "./contract/problems.ts";
import { exchangeOf } from "./exchange.ts";
import { type AdmittedCaller, admittedCaller, refuseRequest } from "./known-key.ts";
import { answerError } from "./problem-answer.ts";
import { answerAgain, createRepeats, keepPage, type Repeats } from "./repeats.ts";
import { openToEverySite } from "./routes.ts";
import { contextFor, requireKnownSituation } from "./test-mode.ts";

/** Every path of the contract begins with it, and no path of a page does. */
const PREFIX = "/v1/";

const OPERATIONS: Readonly<Record<string, Operation>> = operationTable;

/** Answers HTTP requests of the API; others go on. */
export function serveOperations(live: EntryContext, pipeline: Pipeline): RequestHandler {
  const repeats = createRepeats();
  return async (request, response, next) => {
    const { path } = request;
    if (!path.startsWith(PREFIX)) return next();
    const taken = pipeline.pathAt(path);
    if (taken && openToEverySite(request, response, taken)) return;
    let context = live;
    try {
      const key = request.get("x-api-key");
      context = await contextFor(live, key, response, taken).catch((error) => {
        // What no operation answers is refused without test mode, as outside of the operations.
        if (taken?.methods.includes(request.method)) throw error;
        return live;
      });
      await requireKnownSituation(context, key, response);
      // The state of one database says nothing about a page of the other.
      await answer(context, pipeline, context === live ? repeats : null, request, response);
    } catch (error) {
      const operation = OPERATIONS[exchangeOf(response).operation];
      // A value in the path cannot be decoded: the error comes before the operation is called matched.
      if (!operation && error instanceof URIError)
        return refuseRequest(context, request, response, undecodable());
      answerError(context, response, error, operation);
    }
  };
}

/** Answers a request; `repeats` keeps its page and has those of earlier requests. */
async function answer(
  context: EntryContext,
  pipeline: Pipeline,
  repeats: Repeats | null,
  request: Request,
  response: Response,
): Promise<void> {
  const admitted = repeats && (await answerAgain(context, repeats, request, response));
  if (admitted === "answered") return;
  const { method, path, headers, originalUrl } = request;
  const search = originalUrl.split("?").slice(1).join("?");
  const call = callOver(context, request, response, { repeats, admitted });
  await pipeline.handle({ method, path, headers, search }, call);
}

/** A request over HTTP on its way through the pipeline; `admitted` when its key was admitted before. */
function callOver(
  context: EntryContext,
  request: Request,
  response: Response,
  { repeats, admitted }: { repeats: Repeats | null; admitted: AdmittedCaller | null },
): Call {
  let known = admitted;
  return {
    context,
    matched: (id) => {
      exchangeOf(response).operation = id;
    },
    admit: async () => {
      known ??= await admittedCaller(context, request, response);
      const caller = { ...known.caller, isHead: request.method === "HEAD" };
      // While its body is still to come, a request is answered later than right after its admission.
      return request.complete ? { ...caller, snapshot: known.snapshot } : caller;
    },
    clientAddress: () => clientAddressOf(request, context.config.trustProxyHops),
    readBody: (mostBytes) => readJsonBody(request, mostBytes),
    refuseBody: () => refuseBody(request),
    refuse: (problem) => refuseRequest(context, request, response, problem),
    answer: async (operation, answer) => {
      await sendAnswer(request, response, operation, answer);
      if (answer.page && known && repeats) keepPage(repeats, request, answer.page, known);
    },
  };
}
