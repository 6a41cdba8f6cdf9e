import { FEEDS } from "../../../src/feeds/catalogue.ts";
import type { Context } from "../../../src/platform/context.ts";
import { createEndpoint } from "../../../src/webhooks/endpoints/create.ts";
import { sharedIn } from "../frame/bench.ts";
import { copyOf } from "../frame/databases.ts";
import { openAccounts } from "./customer.ts";
import { importedRegistry } from "./imported.ts";
import { onDatabase } from "./open-database.ts";

/** A database with the registry's first day, in which accounts watch carriers and ask for their changes. */
export const watchedRegistry = sharedIn(async (bench): Promise<string> => {
  const { databaseUrl: source } = await importedRegistry(bench);
  const databaseUrl = await copyOf(bench, source);
  const { accounts, carriers } = bench.sizes.watching;
  await onDatabase(bench, databaseUrl, async (context) => {
    bench.say(`${accounts} accounts watch ${carriers} carriers each`);
    const accountIds = await openAccounts(context, accounts);
    for (const { id, accountId } of await watch(context, accountIds, carriers)) {
      const caller = { accountId, feeds: new Map(FEEDS.map(({ code }) => [code, null])), hasApiAccess: true };
      const url = `https://hooks.example.com/${accountId}`;
      const asked = { url, event_types: ["reinstated"], changes: true, filters: { watchlist_ids: [id] } };
      await createEndpoint(context, caller, asked as never);
    }
    await context.db.bulkPool.query("VACUUM ANALYZE");
  });
  return databaseUrl;
});

/** A paid list for each account, with carriers from all over the registry. */
async function watch(
  { db }: Context,
  accountIds: readonly number[],
  carriers: number,
): Promise<{ id: number; accountId: number }[]> {
  const { rows } = await db.bulkPool.query<{ id: number; accountId: number }>(
    `INSERT INTO watchlist (account_id, name, created_at) SELECT id, 'Clients', now() FROM unnest($1::int[]) AS id
     RETURNING id, account_id AS "accountId"`,
    [accountIds],
  );
  await db.bulkPool.query(
    "INSERT INTO watched_month (account_id, month) SELECT id, date_trunc('month', now()) FROM unnest($1::int[]) AS id",
    [accountIds],
  );
  // Every list begins at another carrier and takes one in so many, so that all carriers are watched about as often.
  await db.bulkPool.query(
    `WITH holder AS MATERIALIZED (
       SELECT usdot, row_number() OVER (ORDER BY usdot) - 1 AS place FROM (SELECT DISTINCT usdot FROM authority) AS each
     ),
     holders AS MATERIALIZED (SELECT count(*) AS number FROM holder),
     step AS (
       SELECT watchlist.id, (watchlist.id * 997 + step * greatest(1, number / $1::int)) % number AS place
       FROM watchlist, holders, generate_series(0, $1::int - 1) AS step
     )
     INSERT INTO watchlist_carrier (watchlist_id, usdot, added_at)
     SELECT id, usdot, now() FROM step JOIN holder USING (place)
     ON CONFLICT DO NOTHING`,
    [carriers],
  );
  return rows;
}
