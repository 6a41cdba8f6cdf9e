import { recordPublication, recordRollback } from "../../../src/feeds/publish/step.ts";
import { openVersionChanges } from "../../../src/feeds/publish/version-changes.ts";
import { cursorOwner } from "../../../src/feeds/sync/changes.ts";
import { changesCursor } from "../../../src/feeds/sync/changes-cursor.ts";
import { listSteps } from "../../../src/feeds/sync/steps.ts";
import { removalListState } from "../../../src/feeds/versions/removals.ts";
import type { Context } from "../../../src/platform/context.ts";
import { sharedIn } from "../frame/bench.ts";
import { copyOf } from "../frame/databases.ts";
import { type Service, startService } from "../programs/program.ts";
import { type Customer, openCustomer } from "./customer.ts";
import { importedRegistry } from "./imported.ts";
import { LARGE_FEED, largeFeed, publishLargeVersion, type Version } from "./large-version.ts";
import { onDatabase } from "./open-database.ts";

/** A served feed whose newest step changed every record. */
export interface ChangedFeed {
  service: Service;
  customer: Customer;
  changes: number;
  /** The path of the page of 100 changes after so many others. */
  pathAfter(changes: number): string;
}

/** A database of its own, which is dropped with the run: other measures read the versions of the shared one. */
export const changedFeed = sharedIn(async (bench): Promise<ChangedFeed> => {
  const { databaseUrl: source, report } = await importedRegistry(bench);
  const databaseUrl = await copyOf(bench, source);
  const published = report.feeds.find(({ feed }) => feed === LARGE_FEED);
  if (!published) throw new Error(`The import published no ${LARGE_FEED}.`);
  const imported = { id: published.version, rows: published.rowsAfter };
  const rows = bench.sizes.feedRows.whole;
  bench.say(`publishing two versions of ${rows} rows, and the changes between them`);
  const { customer, pathAfter } = await onDatabase(bench, databaseUrl, async (context) => {
    const before = await publishLargeVersion(context, imported, rows);
    const after = await publishLargeVersion(context, imported, rows, { suffix: " II" });
    await recordSteps(context, before, after);
    await context.db.bulkPool.query("VACUUM ANALYZE");
    if (bench.server.isEmbedded) await context.db.bulkPool.query("CHECKPOINT");
    const opened = await openCustomer(context);
    return { customer: opened, pathAfter: await pathsOf(context, opened, before, after) };
  });
  return { service: await startService(bench, databaseUrl), customer, changes: rows, pathAfter };
});

/** Records how readers came to the first version, and from there to the second. */
function recordSteps(context: Context, before: Version, after: Version): Promise<void> {
  return context.db.bulkTransaction(async (client) => {
    const found = await client.query<{ asOf: string; publishedAt: Date }>(
      `SELECT as_of::text AS "asOf", published_at AS "publishedAt" FROM feed_version WHERE id = ANY ($1) ORDER BY id`,
      [[before.id, after.id]],
    );
    const [first, second] = found.rows;
    if (!first || !second) throw new Error("The two versions were not found.");
    const stepTo = ({ asOf, publishedAt }: typeof first) => ({
      feed: LARGE_FEED,
      asOf,
      publishedAt,
      takenAt: publishedAt,
    });
    await recordPublication(
      client,
      { ...stepTo(first), from: null, to: before.id, rules: "bench" },
      { rulesBefore: null },
    );
    await openVersionChanges(client, largeFeed, { before: before.id, now: after.id, haveSameRules: false });
    // A publication would ask the registry why records were removed. Here none was.
    await recordRollback(client, { ...stepTo(second), from: before.id, to: after.id, rules: "" });
  });
}

async function pathsOf(
  context: Context,
  { accountId }: Customer,
  before: Version,
  after: Version,
): Promise<ChangedFeed["pathAfter"]> {
  const owner = await cursorOwner(context, accountId, LARGE_FEED, { filters: new Map() });
  const step = (await listSteps(context, largeFeed)).at(-1)?.id ?? 0;
  const listState = await removalListState(context.db.pool);
  const between = { since: before.id, to: after.id, end: step, removals: null, rows: 0, listState };
  return (ordinal) => {
    const cursor = changesCursor(owner, { ...between, position: { part: "steps", step, ordinal } });
    return `/v1/feeds/${LARGE_FEED}/changes?limit=100&cursor=${cursor}`;
  };
}
