// Requests with an idempotency key: each is worked on once, and a repeat gets its first answer for 24 hours.
// Owns the table idempotent_answer. It promises that work and answer are committed together.
import { createHash } from "node:crypto";
import { HOUR_MS } from "../../platform/clock.ts";
import type { Context } from "../../platform/context.ts";
import type { Queryable } from "../../platform/database/statement.ts";
import { withinTransaction } from "../../platform/database/within-transaction.ts";
import { ProblemError } from "../../platform/http/problem.ts";
import { type Answer, type KeptAnswer, openAnswer, sealAnswer } from "./sealed-answer.ts";
import * as sql from "./statements.ts";

/** How long an answer is kept. */
export const ANSWERS_KEPT_HOURS = 24;

/** A request with an idempotency key. */
export interface KeyedRequest {
  accountId: number;
  key: string;
  /** All that makes it another request: operation, path, query and body. */
  content: unknown;
}

/**
 * Does the work of a request and keeps its answer in the same transaction, or returns the answer kept for the key. `work`
 * must use the context that it is given. When it throws, nothing is done or kept.
 * ProblemError request_in_progress, idempotency_conflict.
 */
export async function answerOnce(
  context: Context,
  { accountId, key, content }: KeyedRequest,
  work: (context: Context) => Promise<Answer>,
): Promise<Answer & { isRepeat: boolean }> {
  const keyDigest = digestOf([accountId, key]);
  const contentDigest = digestOf(content).toString("base64");
  return context.db.transaction(async (client) => {
    await claim(client, keyDigest);
    const kept = await findAnswer(context, client, { accountId, keyDigest });
    if (kept !== null) {
      if (kept.contentDigest !== contentDigest) throw conflict();
      return { ...kept.answer, isRepeat: true };
    }
    const answer = await work({ ...context, db: withinTransaction(context.db, client) });
    await sql.keepAnswer.run(client, {
      accountId,
      keyDigest,
      sealed: sealAnswer(context, keyDigest, { contentDigest, answer }),
      now: context.clock.now(),
    });
    return { ...answer, isRepeat: false };
  });
}

const digestOf = (value: unknown): Buffer => createHash("sha256").update(JSON.stringify(value)).digest();

async function claim(client: Queryable, keyDigest: Buffer): Promise<void> {
  const { rows } = await sql.claimKey.run(client, { lock: keyDigest.readInt32BE() });
  if (rows[0]?.isClaimed) return;
  throw new ProblemError(
    "request_in_progress",
    "A request with this Idempotency-Key is being worked on. Send it again to get its answer.",
    { retryAfterSeconds: 1 },
  );
}

async function findAnswer(
  context: Context,
  client: Queryable,
  { accountId, keyDigest }: { accountId: number; keyDigest: Buffer },
): Promise<KeptAnswer | null> {
  const since = keptSince(context);
  const { rows } = await sql.findAnswer.run(client, { accountId, keyDigest, since });
  return rows[0] ? openAnswer(context, keyDigest, rows[0].sealed) : null;
}

/** Answers from this time or before are no longer given. */
export const keptSince = ({ clock }: Pick<Context, "clock">): Date =>
  new Date(clock.now().getTime() - ANSWERS_KEPT_HOURS * HOUR_MS);

const conflict = (): ProblemError =>
  new ProblemError(
    "idempotency_conflict",
    `Another request had this Idempotency-Key in the last ${ANSWERS_KEPT_HOURS} hours. Use a new key for each request, and the same one only to repeat it unchanged.`,
  );
