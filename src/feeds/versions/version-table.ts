/** The table that holds a version's rows. SQL text gets a version's number only from here. */
export function versionTable(versionId: number): string {
  if (!Number.isSafeInteger(versionId) || versionId < 1) throw new Error(`not a version: ${versionId}`);
  return `published.feed_${versionId}`;
}
