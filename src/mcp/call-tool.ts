import type { CallToolResult } from "@modelcontextprotocol/server";
import type { Response } from "express";
import type { KnownKey } from "../accounts/keys/admission.ts";
import { leftOf } from "../accounts/usage/quota.ts";
import { exchangeOf } from "../api/exchange.ts";
import { callerWithAccess, requireRate } from "../api/known-key.ts";
import { type OperationRequest, runOperation } from "../api/pipeline.ts";
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
}

/** Runs the tool's operation for the caller. Every error is told in the answer, for the model to read. */
export async function callTool(
  { context, response, key }: Call,
  tool: Tool,
  sent: Arguments,
): Promise<CallToolResult> {
  const exchange = exchangeOf(response);
  exchange.operation = `mcp.${tool.name}`;
  const { operation } = tool.route;
  const costNow = () => ({ rows: exchange.quota?.cost ?? 0, requests: 1 });
  try {
    requireRate(context, key);
    const caller = callerWithAccess(response, key);
    const { args, faults } = tool.read(sent);
    if (faults.length > 0) throw new InvalidRequestError(faults);
    const { body } = await runOperation(context, tool.route, { caller }, requestOf(operation, args));
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

/** The arguments as the text of an HTTP request, so that they mean the same in both. */
function requestOf(operation: Operation, args: Arguments): OperationRequest {
  const inPath = new Set(operation.parameters.filter((each) => each.in === "path").map(({ name }) => name));
  const texts = Object.entries(args).map(([name, value]) => [name, String(value)] as const);
  return {
    pathValues: Object.fromEntries(texts.filter(([name]) => inPath.has(name))),
    search: new URLSearchParams(
      texts.filter(([name]) => !inPath.has(name)).map(([name, text]) => [name, text]),
    ).toString(),
  };
}
