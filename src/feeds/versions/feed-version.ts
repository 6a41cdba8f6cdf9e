import type { Feed } from "../catalogue.ts";
import type { Removals } from "../records/removals.ts";
import type { VersionColumns } from "./version-columns.ts";

/** A version as it was published: immutable as long as it is there. */
export interface PublishedVersion {
  id: number;
  feed: Feed;
  /** The day the data is current to. */
  asOf: string;
  /** Rows of its table, removed ones too. */
  rowCount: number;
  /** Unix time in milliseconds; with the id it names the version even where a database was set back. */
  publishedAtMs: number;
}

/** A version as a request may read it: what was removed when the request began is known, and may not be shown. */
export interface FeedVersion extends PublishedVersion {
  removals: Removals;
  columns: VersionColumns;
}

/** A version was removed while it was read: long replaced, or replaced together with its registry. */
export class VersionGoneError extends Error {
  override readonly name = "VersionGoneError";

  constructor(version: PublishedVersion) {
    super(`Version ${version.id} of ${version.feed.code} is gone.`);
  }
}

const UNDEFINED_TABLE = "42P01";

/** Reads from a version's table; a table that is not there becomes a VersionGoneError. */
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
