import type { Feed } from "./catalogue.ts";

/** A published version of a feed: immutable as long as it is there. */
export interface FeedVersion {
  id: number;
  feed: Feed;
  /** The day the data is current to. */
  asOf: string;
  rowCount: number;
  /** Unix time in milliseconds; with the id it names the version even where a database was set back. */
  publishedAtMs: number;
}

/** A version was removed while it was read: long replaced, or replaced together with its registry. */
export class VersionGoneError extends Error {
  override readonly name = "VersionGoneError";

  constructor(version: FeedVersion) {
    super(`Version ${version.id} of ${version.feed.code} is gone.`);
  }
}

const UNDEFINED_TABLE = "42P01";

/** Reads from a version's table; a table that is not there becomes a VersionGoneError. */
export async function fromVersion<T>(version: FeedVersion, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === UNDEFINED_TABLE) {
      throw new VersionGoneError(version);
    }
    throw error;
  }
}
