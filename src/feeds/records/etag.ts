import { hash } from "node:crypto";
import type { FeedVersion } from "../versions/feed-version.ts";

/**
 * A strong entity tag of an answer, derived from the version, its removed rows and `parts`. `parts` must name everything
 * else on which the answer's bytes depend.
 */
export function etagOf(version: FeedVersion, parts: readonly unknown[]): string {
  // Another release of the program may add other missing columns to the version's records.
  const { missing } = version.columns;
  const all = missing.length === 0 ? parts : [...parts, missing];
  const text = JSON.stringify([version.id, version.publishedAtMs, version.removals.key, ...all]);
  return `"${version.id}-${hash("sha256", text, "base64url").slice(0, 22)}"`;
}

/** Whether If-None-Match names the tag. RFC 9110 section 13.1.2: compared weakly, `*` is any. */
export function matchesEtag(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch.trim() === "*") return true;
  return ifNoneMatch.split(",").some((tag) => tag.trim().replace(/^W\//, "") === etag);
}
