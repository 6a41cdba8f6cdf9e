// The names of the businesses that are in a feed, to be searched by. They are made beside the service: no publication waits
// for them, and a search leaves out what the caller's feeds no longer have.
import * as sql from "../../generated/sql/feeds/names.ts";
import type { Context } from "../../platform/context.ts";
import { keepTrying } from "../../platform/database/keep-trying.ts";
import { dynamic } from "../../platform/database/statement.ts";
import { tryLock } from "../../platform/database/transaction.ts";
import { versionTable } from "../versions/feed-version.ts";

// The key of the advisory lock of the process that makes the names. No other lock of this database uses the number.
const NAMES_LOCK = 73_100_007;
const LOOK_EVERY_MS = 5_000;

/** Brings the names up to date now and soon after each publication, until the returned function is called. */
export const keepNames = (context: Context): (() => Promise<void>) =>
  keepTrying(context, LOOK_EVERY_MS, {
    work: () => updateNames(context),
    failure: "The names of businesses could not be brought up to date. Trying again.",
  });

/**
 * Brings the names up to date with the versions that are served, in one transaction. Does nothing while another process
 * does it.
 */
export async function updateNames({ db, log }: Context): Promise<void> {
  if ((await sql.findStale(db.pool)) === undefined) return;
  await db.bulkTransaction(async (client) => {
    if (!(await tryLock(client, NAMES_LOCK))) return;
    const stale = await sql.findStale(client);
    if (!stale?.versions) return;
    const standing = stale.versions.map((id) => `SELECT usdot FROM ${versionTable(id)}`).join(" UNION ");
    const { rowCount } = await dynamic(
      client,
      `WITH standing AS MATERIALIZED (${standing}), ${sql.parts.bringUpToDate}`,
    );
    await sql.noteNamed(client, { versions: stale.versions });
    log.info({ names: rowCount, versions: stale.versions }, "The names of businesses are up to date.");
  });
}
