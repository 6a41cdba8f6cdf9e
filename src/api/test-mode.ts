import type { Request, Response } from "express";
import { isTestKey, parseKey } from "../accounts/keys/key-format.ts";
import { isUsableTestKey } from "../accounts/keys/keys.ts";
import { type EntryContext, entryContextOf } from "../platform/context.ts";
import { ProblemError } from "../platform/http/problem.ts";
import { TEST_SITUATION_NAMES } from "../platform/test-situation.ts";
import { findTestMode } from "../testmode/test-mode.ts";
import type { PathMethods } from "./contract/problems.ts";
import { countAdmitted, knownKey, refuseRequest } from "./known-key.ts";
import { answerError } from "./problem-answer.ts";

/**
 * The context that answers a request with this key: that of test mode for a test key, whose answer says so, else the live one.
 * It is the live one too while the installation has no test keys, and then finds none of this form; and on an open path, which
 * needs no key, unless the key can be used: a text that only looks like one must not keep a removal from taking effect.
 * Nothing is counted in the key's minute.
 */
export async function contextFor(
  live: EntryContext,
  key: string | undefined,
  response: Response,
  path?: Pick<PathMethods, "isOpen">,
): Promise<EntryContext> {
  if (key === undefined || !isTestKey(key)) return live;
  // Before test mode is asked, so that it need not be there.
  if (path?.isOpen && parseKey(key) === null) return live;
  const test = await findTestMode(live);
  if (test === null) return live;
  if (path?.isOpen && !(await isUsableTestKey(test, key))) return live;
  response.setHeader("X-Test-Mode", "true");
  const asked = askedSituation(response);
  const situation = TEST_SITUATION_NAMES.find((known) => known === asked);
  return entryContextOf(situation === undefined ? test : { ...test, situation });
}

const askedSituation = (response: Response): string | undefined => response.req.get("x-test-situation");

/**
 * ProblemError bad_request for a situation that test mode does not have. What is wrong with the key comes first, and the
 * request counts as one of it.
 */
export async function requireKnownSituation(
  context: EntryContext,
  key: string | undefined,
  response: Response,
): Promise<void> {
  const asked = askedSituation(response);
  if (context.live === undefined || asked === context.situation) return;
  countAdmitted(context, response, await knownKey(context, response, key));
  throw new ProblemError(
    "bad_request",
    `X-Test-Situation must be one of ${TEST_SITUATION_NAMES.join(", ")}.`,
  );
}

/** Answers a request outside the operations that nothing matches, in test mode if it has a test key and its database is there. */
export async function refuseOutside(
  live: EntryContext,
  request: Request,
  response: Response,
  problem: ProblemError,
  presentedKey = request.get("x-api-key"),
): Promise<void> {
  try {
    // No key is needed to be refused, so neither is test mode.
    const context = await contextFor(live, presentedKey, response, { isOpen: true }).catch(() => live);
    await refuseRequest(context, request, response, problem, presentedKey);
  } catch (error) {
    answerError(live, response, error);
  }
}
