// Requests with an idempotency key: each is worked on once, and a repeat gets its first answer for 24 hours.
// Owns the table idempotent_answer. It promises that work and answer are committed together.
import { createHash } from "node:crypto";
import * as sql from "../../generated/sql/accounts/idempotency.ts";
import { HOUR_MS } from "../../platform/clock.ts";
import type { Context } from "../../platform/context.ts";
import type { Queryable } from "../../platform/database/statement.ts";
import { withinTransaction } from "../../platform/database/transaction.ts";
import { ProblemError } from "../../platform/http/problem.ts";
import { OperatorError } from "../../platform/operator-error.ts";

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
    await sql.keepAnswer(client, {
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
  const { isClaimed } = await sql.claimKey(client, { lock: keyDigest.readInt32BE() });
  if (isClaimed) return;
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
  const row = await sql.findAnswer(client, { accountId, keyDigest, since });
  return row ? openAnswer(context, keyDigest, row.sealed) : null;
}

/** Answers from this time or before are no longer given. */
const keptSince = ({ clock }: Pick<Context, "clock">): Date =>
  new Date(clock.now().getTime() - ANSWERS_KEPT_HOURS * HOUR_MS);

const conflict = (): ProblemError =>
  new ProblemError(
    "idempotency_conflict",
    `Another request had this Idempotency-Key in the last ${ANSWERS_KEPT_HOURS} hours. Use a new key for each request, and the same one only to repeat it unchanged.`,
  );

/** A successful answer, its body as JSON. */
export interface Answer {
  status: number;
  headers?: Readonly<Record<string, string | undefined>>;
  json: string;
}

/** What is kept of a request. */
interface KeptAnswer {
  /** Digest of the request, which tells a repeat from another one. */
  contentDigest: string;
  answer: Answer;
}

/** Encrypts an answer, which may have a signing secret. Only the digest of its key decrypts it. */
const sealAnswer = ({ secrets }: Pick<Context, "secrets">, keyDigest: Buffer, kept: KeptAnswer): Buffer =>
  secrets.seal(JSON.stringify(kept), boundTo(keyDigest));

/** Decrypts an answer; throws when the value was altered or is another key's. */
const openAnswer = ({ secrets }: Pick<Context, "secrets">, keyDigest: Buffer, sealed: Buffer): KeptAnswer =>
  JSON.parse(secrets.open(sealed, boundTo(keyDigest))) as KeptAnswer;

const boundTo = (keyDigest: Buffer): string => `idempotent_answer ${keyDigest.toString("hex")}`;

const BATCH_SIZE = 1_000;

/** Below every account: those that stand in for others in test mode have negative numbers. */
const BELOW_ACCOUNTS = -(2 ** 31);

/**
 * Encrypts answers of other keys again with the first key of SECRETS_KEY, so that a later start can leave the other keys
 * out. OperatorError when the key of an answer is missing.
 */
export async function resealAnswers(context: Context): Promise<void> {
  let after: { accountId: number; keyDigest: Buffer } = {
    accountId: BELOW_ACCOUNTS,
    keyDigest: Buffer.alloc(0),
  };
  for (let isMore = true; isMore; ) {
    const rows = await sql.sealedAnswers(context.db.bulkPool, {
      afterAccountId: after.accountId,
      afterDigest: after.keyDigest,
      since: keptSince(context),
      most: BATCH_SIZE,
    });
    await reseal(
      context,
      rows.filter(({ sealed }) => context.secrets.isOutdated(sealed)),
    );
    const last = rows.at(-1);
    if (last !== undefined) after = { accountId: last.account_id, keyDigest: last.key_digest };
    isMore = last !== undefined;
  }
}

async function reseal(context: Context, outdated: readonly sql.SealedAnswersRow[]): Promise<void> {
  if (outdated.length === 0) return;
  await sql.resealAnswers(context.db.bulkPool, {
    accountIds: outdated.map(({ account_id }) => account_id),
    keyDigests: outdated.map(({ key_digest }) => key_digest),
    was: outdated.map(({ sealed }) => sealed),
    anew: outdated.map(({ key_digest, sealed }) =>
      sealAnswer(context, key_digest, opened(context, key_digest, sealed)),
    ),
  });
}

function opened(context: Context, keyDigest: Buffer, sealed: Buffer): KeptAnswer {
  try {
    return openAnswer(context, keyDigest, sealed);
  } catch {
    throw new OperatorError(
      "No key of SECRETS_KEY decrypts an answer kept for an Idempotency-Key. Add the key that was used before, behind " +
        "the first one, separated by a comma.",
    );
  }
}
