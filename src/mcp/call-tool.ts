import type { CallToolResult } from "@modelcontextprotocol/server";
import type { Response } from "express";
import type { KnownKey } from "../accounts/keys/admission.ts";
import type { Caller } from "../accounts/keys/caller.ts";
import { leftOf } from "../accounts/usage/quota.ts";
import type { Pipeline, PlainAnswer } from "../api/contract/pipeline.ts";
import { exchangeOf } from "../api/exchange.ts";
import { callerWithAccess, requireRate } from "../api/known-key.ts";
import { countErrorOf, problemFor } from "../api/problem-answer.ts";
import type { Operation } from "../generated/operations.ts";
import type { EntryContext } from "../platform/context.ts";
import { InvalidRequestError } from "../platform/http/invalid-request.ts";
import { isJsonText } from "../platform/json-text.ts";
import { answerOf, misfitAnswer, problemAnswer } from "./tool-answers.ts";
import type { Arguments, Tool } from "./tools.ts";

/** A message's sender, and the answer that it will get. */
export interface Call {
  context: EntryContext;
  response: Response;
  key: KnownKey;
  pipeline: Pipeline;
}

/** Runs the tool's operation for the caller. Every error is in the answer, for the model to read. */
export async function callTool(
  { context, response, key, pipeline }: Call,
  tool: Tool,
  sent: Arguments,
): Promise<CallToolResult> {
  const exchange = exchangeOf(response);
  exchange.operation = `mcp.${tool.name}`;
  const { operation } = tool;
  const costNow = () => ({ rows: exchange.quota?.cost ?? 0, requests: 1 });
  try {
    requireRate(context, key);
    const caller = callerWithAccess(response, key);
    const { args, faults } = tool.read(sent);
    if (faults.length > 0) throw new InvalidRequestError(faults);
    const { body } = await runOperation({ context, pipeline, caller }, operation, args);
    const read = (isJsonText(body) ? JSON.parse(String(body.json)) : body) as object;
    return answerOf(tool, args, read, {
      ...costNow(),
      rows_left: leftOf(exchange.quota ?? key.quota),
    });
  } catch (error) {
    countErrorOf(context, response);
    if (error instanceof InvalidRequestError) {
      exchange.toolProblem = "invalid_arguments";
      return misfitAnswer(error.faults, costNow());
    }
    const problem = problemFor(context, response, error, operation);
    exchange.toolProblem = problem.code;
    return problemAnswer(context, problem, costNow());
  }
}

/** Runs an operation by the HTTP request that the arguments stand for, so that they mean the same in both. */
async function runOperation(
  { context, pipeline, caller }: Pick<Call, "context" | "pipeline"> & { caller: Caller },
  { method, path, parameters }: Operation,
  args: Arguments,
): Promise<PlainAnswer> {
  const placeOf = new Map(parameters.map((each) => [each.name, each.in]));
  const query = Object.entries(args).filter(([name]) => placeOf.get(name) === "query");
  const body = Object.fromEntries(Object.entries(args).filter(([name]) => !placeOf.has(name)));
  const request = {
    method,
    path: path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(args[name]))),
    search: new URLSearchParams(query.map(([name, value]) => [name, String(value)])).toString(),
    headers: {},
  };
  const answer = await pipeline.handle(request, {
    context,
    admit: async () => caller,
    refuse: (problem) => {
      throw problem;
    },
    answer: async (_operation, answer) => answer,
    readBody: async () => body,
  });
  return answer as PlainAnswer;
}
