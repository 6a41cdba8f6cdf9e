import type { Feed } from "../catalogue.ts";
import type { Removals } from "../records/removals.ts";
import type { VersionColumns } from "./version-columns.ts";

/** A version as it was published. It never changes. */
export interface PublishedVersion {
  id: number;
  feed: Feed;
  /** The day the data is current to. */
  asOf: string;
  /** Rows of its table, removed ones too. */
  rowCount: number;
  /** Unix time in milliseconds. */
  publishedAtMs: number;
  /** The state of the removal list in which none of its rows is removed. Null: unknown. */
  builtListState: string | null;
  /** Identifies the columns of its rows, as hashOfColumns does. Null: unknown. */
  columnsHash: string | null;
}

/**
 * The key of a version in caches. The time is part of it: after a failover or a restored backup another version may get
 * the id of one that was lost.
 */
export const keyOf = ({ id, publishedAtMs }: PublishedVersion): string => `${id} ${publishedAtMs}`;

/** A version with its rows that were removed when the request began. They must not be shown. */
export interface FeedVersion extends PublishedVersion {
  removals: Removals;
  columns: VersionColumns;
}

/** A version was dropped while it was read: it was replaced long ago, or its whole registry was replaced. */
export class VersionGoneError extends Error {
  override readonly name = "VersionGoneError";

  constructor(version: PublishedVersion) {
    super(`Version ${version.id} of ${version.feed.code} no longer exists.`);
  }
}

const UNDEFINED_TABLE = "42P01";

/** Reads from a version's table. VersionGoneError when the table does not exist. */
export async function fromVersion<T>(version: PublishedVersion, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === UNDEFINED_TABLE) {
      throw new VersionGoneError(version);
    }
    throw error;
  }
}
