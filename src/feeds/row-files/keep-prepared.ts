import type { Context } from "../../platform/context.ts";
import { keepTrying } from "../../platform/database/keep-trying.ts";
import { findCurrentVersions } from "../versions/find-versions.ts";
import { prepareRows } from "./read-lines.ts";

const LOOK_EVERY_MS = 5_000;

/**
 * Makes and opens the files of the versions that are served, now and soon after each publication, one after the other,
 * until the returned function is called. Until a file is open, its rows come from the database.
 */
export function keepRowsPrepared(context: Context): () => Promise<void> {
  let isStopping = false;
  const work = async () => {
    for (const version of await findCurrentVersions(context.db)) {
      if (isStopping) return;
      await prepareRows(context, version);
    }
  };
  const failure = "The rows of feeds could not be prepared. Trying again.";
  const stop = keepTrying(context, LOOK_EVERY_MS, { work, failure });
  return () => {
    isStopping = true;
    return stop();
  };
}
