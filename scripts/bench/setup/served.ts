import { updateSharedValues } from "../../../src/carriers/connections/shared-values.ts";
import type { ExportFormat } from "../../../src/feeds/export/format.ts";
import { updateNames } from "../../../src/feeds/names/names.ts";
import { findCurrentVersions } from "../../../src/feeds/versions/find-versions.ts";
import { sharedIn } from "../frame/bench.ts";
import { copyOf } from "../frame/databases.ts";
import { type Service, startService, untilPrepared } from "../programs/program.ts";
import { type Customer, openCustomer } from "./customer.ts";
import { importedRegistry } from "./imported.ts";
import { LARGE_FEED, publishFirstRows, publishLargeVersion, type Version } from "./large-version.ts";
import { onDatabase } from "./open-database.ts";

/** The service and versions on which pages and exports are measured. */
export interface Served {
  databaseUrl: string;
  customer: Customer;
  /** The version that the import published, of businesses that differ. */
  imported: Version;
  /** The current version of the large feed, and pages deep in it. */
  deep: Version;
  whole: Version;
  /** Some names of the imported companies. */
  names: readonly string[];
  /** How many names can be searched. */
  nameCount: number;
  /** How many versions are served or have pages that measures read. */
  versions: number;
}

const SOME_NAMES = 2_000;

/** The imported registry's feeds with large versions beside them, the largest as the current one. */
export const servedFeeds = sharedIn(async (bench): Promise<Served> => {
  const { databaseUrl: source, report } = await importedRegistry(bench);
  const databaseUrl = await copyOf(bench, source);
  const published = report.feeds.find(({ feed }) => feed === LARGE_FEED);
  if (!published) throw new Error(`The import published no ${LARGE_FEED}.`);
  const imported = { id: published.version, rows: published.rowsAfter };
  const { whole, deep } = bench.sizes.feedRows;
  return onDatabase(bench, databaseUrl, async (context) => {
    bench.say(`publishing versions of up to ${deep} rows`);
    const largest = await publishLargeVersion(context, imported, deep);
    const first = await publishFirstRows(context, largest, whole);
    await updateNames(context);
    await updateSharedValues(context);
    // As in importedRegistry, for the versions that were added. No measure runs beside the checkpoint of the import either.
    await context.db.bulkPool.query("VACUUM ANALYZE");
    if (bench.server.isEmbedded) await context.db.bulkPool.query("CHECKPOINT");
    const { rows } = await context.db.bulkPool.query<{ name: string; count: number }>(
      "SELECT name, (count(*) OVER ())::int AS count FROM business_name ORDER BY md5(usdot::text), is_dba LIMIT $1",
      [SOME_NAMES],
    );
    return {
      databaseUrl,
      names: rows.map(({ name }) => name),
      nameCount: rows[0]?.count ?? 0,
      versions: new Set(
        [...(await findCurrentVersions(context.db)), imported, largest, first].map(({ id }) => id),
      ).size,
      customer: await openCustomer(context),
      imported,
      deep: largest,
      whole: first,
    };
  });
});

/** One service with those feeds, which has prepared their rows, for measures that do not need a new one. */
export const sharedService = sharedIn(async (bench): Promise<Service> => {
  const { databaseUrl, versions, imported, deep, whole, customer } = await servedFeeds(bench);
  const service = await startService(bench, databaseUrl);
  // The rows of a version that is no longer served are prepared when somebody reads it.
  for (const version of [imported, deep, whole]) {
    const answer = await fetch(service.url + pagePath(version, 1), { headers: customer.headers });
    if (!answer.ok)
      throw new Error(`The first page of version ${version.id} was answered with ${answer.status}.`);
    await answer.arrayBuffer();
  }
  await untilPrepared(bench, databaseUrl, versions);
  return service;
});

/** The path of a page of a version of the large feed. */
export const pagePath = (version: Version, page: number, filter = "", pageSize = 100): string =>
  `/v1/feeds/${LARGE_FEED}/records?version=${version.id}&page=${page}&page_size=${pageSize}${filter}`;

/** The path of a version's export. */
export const exportPath = (version: Version, filter = "", format: ExportFormat = "csv"): string =>
  `/v1/feeds/${LARGE_FEED}/export.${format}?version=${version.id}${filter}`;
