import type { Response } from "express";
import { isTestKey } from "../accounts/keys/key-format.ts";
import { type EntryContext, entryContextOf } from "../platform/context.ts";
import { findTestMode } from "../testmode/test-mode.ts";

/**
 * The context that answers a request with this key: that of test mode for a test key, whose answer says so, else the live one.
 * It is the live one too while the installation has no test keys, and then finds none of this form.
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
  return entryContextOf(test);
}
