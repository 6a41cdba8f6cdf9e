/** The table that holds a version's rows; the only place where a version's number becomes part of an SQL text. */
export function versionTable(versionId: number): string {
  if (!Number.isSafeInteger(versionId) || versionId < 1) throw new Error(`not a version: ${versionId}`);
  return `published.feed_${versionId}`;
}
