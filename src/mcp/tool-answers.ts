import type { CallToolResult } from "@modelcontextprotocol/server";
import { validationProblem } from "../api/contract/problems.ts";
import { retryAfterSecondsOf } from "../api/problem-answer.ts";
import { problems } from "../generated/problems.ts";
import type { EntryContext } from "../platform/context.ts";
import type { Fault } from "../platform/http/invalid-request.ts";
import { type ProblemError, problemBody } from "../platform/http/problem.ts";
import { countOf } from "../platform/plural.ts";
import { inToolWords } from "./tool-words.ts";
import type { Arguments, Tool } from "./tools.ts";

/** What a tool call cost: rows of the month's quota and requests of the key's minute. */
interface Cost {
  rows: number;
  requests: number;
}

/** The answer of an operation, with its cost and, where the operation has pages, the arguments of the next one. */
export function answerOf(
  { name }: Tool,
  args: Arguments,
  body: object,
  cost: Cost & { rows_left: number },
): CallToolResult {
  const next = nextArguments(args, body);
  const spent = `${countOf(cost.rows, "row")} and ${countOf(cost.requests, "request")}`;
  const sentences = [
    `This call cost ${spent}. Left of the month's quota: ${countOf(cost.rows_left, "row")}.`,
    ...(next === null ? ["There is no further page now."] : []),
    ...(next ? [`There is more: call ${name} with the arguments in \`next\`.`] : []),
  ];
  const { cost: reading_cost, ...read } = body as { cost?: object };
  return result(sentences, {
    ...read,
    ...(reading_cost && { reading_cost }),
    ...(next === undefined ? {} : { next }),
    cost,
  });
}

interface Paged {
  has_more?: boolean;
  page?: number;
  meta?: { version?: number };
  next_cursor?: string | null;
}

/** Null on the last page; undefined where there are no pages. */
function nextArguments(args: Arguments, body: Paged): Arguments | null | undefined {
  const { has_more, page = 1, meta, next_cursor } = body;
  if (has_more !== undefined) return has_more ? { ...args, page: page + 1, version: meta?.version } : null;
  if (next_cursor === undefined) return undefined;
  return next_cursor === null ? null : { ...args, cursor: next_cursor };
}

/** The answer to arguments that do not fit: which ones, and what they must be. */
export function misfitAnswer(faults: readonly Fault[], cost: Cost): CallToolResult {
  const { detail } = validationProblem(faults);
  const texts = detail.map(({ loc, msg }) => `${loc.slice(1).join(".") || "the call"} ${msg}`);
  return failure([`These arguments do not fit: ${texts.join("; ")}.`, "Correct them and call again."], {
    error: { status: 422, code: "invalid_arguments", detail },
    cost,
  });
}

/** The answer that tells a problem: what is wrong, what it means, what to do, and when to try again. */
export function problemAnswer({ config }: EntryContext, problem: ProblemError, cost: Cost): CallToolResult {
  const detail = inToolWords(problem.message);
  const { type, title, status, code } = problemBody(config.publicUrl, problem.code, detail);
  const meaning = inToolWords(problems[code].meaning);
  const wait = retryAfterSecondsOf(problem);
  return failure(
    [`${code}: ${detail}`, meaning, ...(wait === null ? [] : [`Retry-After: ${wait} seconds.`])],
    {
      error: {
        status,
        code,
        title,
        detail,
        meaning,
        ...(wait === null ? {} : { retry_after_seconds: wait }),
        type,
      },
      cost,
    },
  );
}

const failure = (sentences: string[], content: Record<string, unknown>): CallToolResult => ({
  ...result(sentences, content),
  isError: true,
});

// Many clients show the model only the text, so the protocol asks that structured content stands there too.
const result = (sentences: string[], content: Record<string, unknown>): CallToolResult => ({
  content: [
    { type: "text", text: sentences.join(" ") },
    { type: "text", text: JSON.stringify(content) },
  ],
  structuredContent: content,
});
