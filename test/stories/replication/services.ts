import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { generateRegistry } from "../../../src/cli/registry/made-up-registry.ts";
import { EVENT_TYPES } from "../../../src/events/event-types.ts";
import { addDays, dayOf, systemClock } from "../../../src/platform/clock.ts";
import { configFrom } from "../../../src/platform/config/config.ts";
import type { Context } from "../../../src/platform/context.ts";
import { MIGRATIONS, migrate } from "../../../src/platform/database/migrate.ts";
import { createLog } from "../../../src/platform/log.ts";
import { openAccount } from "../../support/accounts.ts";
import { openTestContext } from "../../support/context.ts";
import { type PostgresServer, startPostgresServers } from "../../support/database/postgres-servers.ts";
import { EVERYTHING } from "../../support/feeds/served-feeds.ts";
import { dispatchingEnv } from "../../support/processes/dispatcher-processes.ts";
import { importInProcess } from "../../support/processes/import-processes.ts";
import { startTdf, type TdfProcess } from "../../support/processes/tdf-process.ts";
import { startWay, type WayProcess } from "../../support/processes/way-processes.ts";
import { LOOPBACK_ENV } from "../../support/webhooks/dispatching.ts";
import { registerEndpoint } from "../../support/webhooks/endpoints.ts";
import { type Receiver, startReceiver } from "../../support/webhooks/receiver.ts";

/** Three `serve` and a `dispatch` on a primary with two standbys, with the first day imported. */
export interface ReplicatedServices {
  primary: PostgresServer;
  standbys: [PostgresServer, PostgresServer];
  /** The address of the primary, which a failover moves. */
  way: WayProcess;
  /** A context of this process at that address. */
  context: Context;
  processes: readonly TdfProcess[];
  urls: readonly string[];
  accountId: number;
  key: string;
  /** Gets the account's events of every type. */
  receiver: Receiver;
  /** Imports a day of three, from 0. */
  importDay(index: number): Promise<unknown>;
}

const SYNCHRONOUS = "ALTER SYSTEM SET synchronous_standby_names = 'ANY 1 (*)'";

/** Starts them. What ends them goes to `ends`, to be called in the opposite order. */
export async function startReplicatedServices(
  { isSynchronous }: { isSynchronous: boolean },
  ends: (() => unknown)[],
): Promise<ReplicatedServices> {
  const folder = await mkdtemp(path.join(tmpdir(), "tdf-replication-"));
  ends.push(() => rm(folder, { recursive: true, force: true }));
  const firstDay = addDays(dayOf(systemClock.now()), -2);
  const days = await generateRegistry({ outDir: folder, carriers: 3_000, seed: 17, firstDay, days: 3 });

  const ways: WayProcess[] = [];
  const servers = await startPostgresServers(2, async (primaryUrl) => {
    await migrate(primaryUrl, { folder: MIGRATIONS, log: createLog("silent") });
    const way = await startWay(primaryUrl);
    ways.push(way);
    return way.url;
  });
  ends.push(() => servers.remove());
  const [way] = ways as [WayProcess];
  ends.push(() => way.close());
  const { primary } = servers;
  const standbys = servers.standbys as [PostgresServer, PostgresServer];
  if (isSynchronous) {
    for (const server of [primary, ...standbys]) await server.run(SYNCHRONOUS, "SELECT pg_reload_conf()");
  }
  const importDay = (index: number) =>
    importInProcess(way.url, {
      dir: days[index]?.dir ?? "",
      // Events that are written during the run have the time of now.
      now: index === 0 ? `${firstDay}T18:00:00Z` : systemClock.now().toISOString(),
    });
  await importDay(0);

  const context = await openTestContext(way.url, systemClock);
  ends.push(() => context.db.close());
  const { accountId, key } = await openAccount(context, { ...EVERYTHING, concurrentExports: 100 });
  const receiver = await startReceiver();
  ends.push(() => receiver.close());
  const config = configFrom({ DATABASE_URL: way.url, ...LOOPBACK_ENV });
  const endpoint = { url: `${receiver.url}/in`, event_types: [...EVENT_TYPES] };
  await registerEndpoint({ ...context, config }, accountId, endpoint);

  // One service reads at each standby, the third at a balancer before both.
  const [first, second] = standbys;
  const toBoth = await startWay(first.url, second.url);
  ends.push(() => toBoth.close());
  const processes: TdfProcess[] = [];
  ends.push(() => Promise.all(processes.map((each) => each.stop())));
  const env = { ...dispatchingEnv(way.url), LOG_LEVEL: "info", TRUST_PROXY_HOPS: "1" };
  for (const [index, DATABASE_READ_URL] of [first.url, second.url, toBoth.url].entries()) {
    const own = { PORT: "0", DATA_DIR: path.join(folder, `data-${index}`) };
    processes.push(await startTdf("serve", "Serving.", { ...env, ...own, DATABASE_READ_URL }));
  }
  const urls = processes.map(({ ready }) => `http://127.0.0.1:${ready.port}`);
  processes.push(await startTdf("dispatch", "Dispatching.", env));
  return { primary, standbys, way, context, processes, urls, accountId, key, receiver, importDay };
}
