import type { Context } from "../../platform/context.ts";
import { OperatorError } from "../../platform/operator-error.ts";
import { keptSince } from "./answer-once.ts";
import { type KeptAnswer, openAnswer, sealAnswer } from "./sealed-answer.ts";
import * as sql from "./statements.ts";

const BATCH_SIZE = 1_000;

/**
 * Encrypts answers of other keys again with the first key of SECRETS_KEY, so that a later start can leave the other keys
 * out. OperatorError when the key of an answer is missing.
 */
export async function resealAnswers(context: Context): Promise<void> {
  let after: { accountId: number; keyDigest: Buffer } = { accountId: 0, keyDigest: Buffer.alloc(0) };
  for (let isMore = true; isMore; ) {
    const { rows } = await sql.sealedAnswers.run(context.db.bulkPool, {
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
  await sql.resealAnswers.run(context.db.bulkPool, {
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
