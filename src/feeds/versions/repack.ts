import type { Context } from "../../platform/context.ts";
import { perDatabase } from "../../platform/database/per-database.ts";
import { packColumns } from "../publish/build.ts";
import type { PublishedVersion } from "./feed-version.ts";

/** A filter column of a version is not packed, or not for all of its rows. */
export class UnpackedColumnError extends Error {
  override readonly name = "UnpackedColumnError";
  readonly version: PublishedVersion;

  constructor(version: PublishedVersion, column: string) {
    super(`Version ${version.id} of ${version.feed.code} has no packed column ${column}.`);
    this.version = version;
  }
}

const repacking = perDatabase(() => new Map<number, Promise<void>>());

/** Packs what a version lacks, from its own table and in the background: once at a time, a failure logged. */
export function repackVersion(context: Context, version: PublishedVersion): void {
  const running = repacking(context.db);
  if (running.has(version.id)) return;
  const work = repack(context, version)
    .then(
      () => context.log.warn(fieldsOf(version), "The filter columns of a feed version were packed anew."),
      (err) =>
        context.log.error(
          { ...fieldsOf(version), err },
          "The filter columns of a feed version could not be packed anew.",
        ),
    )
    .finally(() => running.delete(version.id));
  running.set(version.id, work);
}

const fieldsOf = ({ id, feed }: PublishedVersion) => ({ version: id, feed: feed.code });

const repack = ({ db }: Context, { id, rowCount }: PublishedVersion): Promise<void> =>
  db.bulkTransaction(async (client) => {
    // Processes take turns, and nobody removes the version meanwhile.
    const { rowCount: found } = await client.query(
      "SELECT FROM feed_version WHERE id = $1 FOR NO KEY UPDATE",
      [id],
    );
    if (found === 0) return;
    await client.query(
      "DELETE FROM feed_version_column WHERE version_id = $1 AND octet_length(packed) <> $2",
      [id, 4 * rowCount],
    );
    await packColumns(client, id);
  });
