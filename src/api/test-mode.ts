import type { Response } from "express";
import { isTestKey } from "../accounts/keys/key-format.ts";
import { type EntryContext, entryContextOf } from "../platform/context.ts";
import { ProblemError } from "../platform/http/problem.ts";
import { TEST_SITUATION_NAMES, type TestSituation } from "../platform/test-situation.ts";
import { findTestMode } from "../testmode/test-mode.ts";

/**
 * The context that answers a request with this key: that of test mode for a test key, whose answer says so, else the live one.
 * It is the live one too while the installation has no test keys, and then finds none of this form. ProblemError bad_request for
 * a situation that test mode does not have.
 */
export async function contextFor(
  live: EntryContext,
  key: string | undefined,
  response: Response,
): Promise<EntryContext> {
  if (!isTestKey(key)) return live;
  const test = await findTestMode(live);
  if (test === null) return live;
  response.setHeader("X-Test-Mode", "true");
  const situation = response.req.get("x-test-situation");
  return entryContextOf(situation === undefined ? test : { ...test, situation: knownSituation(situation) });
}

function knownSituation(asked: string): TestSituation {
  const known = TEST_SITUATION_NAMES.find((situation) => situation === asked);
  if (known !== undefined) return known;
  throw new ProblemError(
    "bad_request",
    `X-Test-Situation must be one of ${TEST_SITUATION_NAMES.join(", ")}.`,
  );
}
