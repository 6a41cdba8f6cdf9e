import { answerOnce, type KeyedRequest } from "../accounts/idempotency/answer-once.ts";
import type { Operation } from "../generated/operations.ts";
import { type EntryContext, entryContextOf } from "../platform/context.ts";
import { jsonText } from "../platform/json-text.ts";
import { jsonOf, type PlainAnswer } from "./answer.ts";

/** Whether a request changes nothing, so that it may be repeated without its key. */
export const isDryRun = ({ hasDryRun }: Operation, body: unknown): boolean =>
  hasDryRun && (body as { dry_run?: boolean }).dry_run !== false;

/** Calls a handler in the transaction that keeps its answer, or gives the answer that was kept for the key. */
export async function handleOnce(
  context: EntryContext,
  request: KeyedRequest,
  handle: (context: EntryContext) => Promise<PlainAnswer>,
): Promise<PlainAnswer> {
  const { status, headers, json, isRepeat } = await answerOnce(context, request, async (within) => {
    const { body, ...answer } = await handle(entryContextOf(within));
    return { ...answer, json: jsonOf(body).toString() };
  });
  const body = jsonText(Buffer.from(json));
  return { status, headers: { ...headers, ...(isRepeat && { [HEADER_OF_REPEAT]: "true" }) }, body };
}

const HEADER_OF_REPEAT = "Idempotent-Replayed";
