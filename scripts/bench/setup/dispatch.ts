import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import pRetry from "p-retry";
import pg from "pg";
import { EVENT_TYPES } from "../../../src/events/event-types.ts";
import { FEEDS } from "../../../src/feeds/catalogue.ts";
import type { Context } from "../../../src/platform/context.ts";
import { createEndpoint } from "../../../src/webhooks/endpoints/create.ts";
import { type Bench, sharedIn } from "../frame/bench.ts";
import { newDatabase } from "../frame/databases.ts";
import type { BareSenderJob } from "../programs/processes/bare-sender.ts";
import type { ReceiverJob } from "../programs/processes/receiver.ts";
import { serverMs } from "../programs/processor-time.ts";
import { RECEIVER_AUTHORITY, startLogged, until } from "../programs/program.ts";
import { startWorker, type Worker } from "../programs/worker.ts";
import { openAccounts } from "./customer.ts";
import { insertEvents } from "./events.ts";
import { onDatabase } from "./open-database.ts";

/** A dispatcher's default number of deliveries in flight; the bare loop has the same. */
const CONNECTIONS = 100;
/** Each of them gets every event. */
export const ENDPOINTS = 50;
const ACCOUNTS = 25;
const TLS = path.join(import.meta.dirname, "../../../test/fixtures/tls");

/** Customers with endpoints at one receiver. An account may have ten deliveries in flight, an endpoint five. */
export interface Customers {
  accounts: number;
  endpoints: number;
}

/** What a round found. */
interface Round {
  /** Deliveries sent and recorded in a second, without those to a dead endpoint, from the first arrival on. */
  perSecond: number;
  /** Processor time of PostgreSQL for each delivery, from the event to the recorded result. */
  serverMicroseconds: number;
}

/** A receiver, and a database with endpoints at it, for which dispatchers can be started. */
export interface Dispatching {
  /** Deliveries in a round. */
  deliveries: number;
  databaseUrl: string;
  client: pg.Client;
  receiver: Worker<ReceiverJob>;
  /** The address of the receiver. */
  origin: string;
  /** Starts one more dispatcher and waits until the accounts are shared among all. */
  startDispatcher(): Promise<ChildProcess>;
  /** Stops a dispatcher. */
  stopDispatcher(child: ChildProcess): Promise<void>;
  /** Writes new events and waits until all their deliveries are recorded. */
  deliver(options?: { isOneDead: boolean }): Promise<Round>;
}

/** Opens a database with endpoints. */
export async function openDispatching(
  bench: Bench,
  { accounts, endpoints }: Customers,
): Promise<Dispatching> {
  const receiver = startWorker<ReceiverJob>(bench, "receiver.ts");
  const origin = await receiver.ask<string>({
    kind: "listen",
    certificateFile: path.join(TLS, "receiver.pem"),
    keyFile: path.join(TLS, "receiver.key"),
  });
  const databaseUrl = await newDatabase(bench);
  await onDatabase(bench, databaseUrl, (context) => register(context, { accounts, endpoints }, origin));
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  bench.ending.defer(() => client.end());
  const events = Math.ceil(bench.sizes.deliveries / endpoints);
  let dispatchers = 0;
  return {
    deliveries: events * endpoints,
    databaseUrl,
    client,
    receiver,
    origin,
    startDispatcher: async () => {
      const { child, logFile } = startLogged(bench, databaseUrl, ["dispatch"], "dispatch");
      await until(child, logFile, (lines) => lines.some(({ msg }) => msg === "Dispatching.") || undefined);
      dispatchers += 1;
      await waitUntil(client, "SELECT count(DISTINCT dispatcher_id) = $1 AS is_so FROM webhook_lease", [
        dispatchers,
      ]);
      await waitUntil(client, "SELECT count(*) = $1 AS is_so FROM webhook_lease", [accounts]);
      return child;
    },
    stopDispatcher: async (child) => {
      const ended = once(child, "exit");
      child.kill();
      await ended;
      dispatchers -= 1;
    },
    deliver: ({ isOneDead } = { isOneDead: false }) =>
      deliver({ client, receiver, events, endpoints }, isOneDead),
  };
}

async function register(context: Context, { accounts, endpoints }: Customers, origin: string): Promise<void> {
  const accountIds = await openAccounts(context, accounts);
  const feeds = new Map(FEEDS.map(({ code }) => [code, null]));
  for (let index = 0; index < endpoints; index++) {
    const accountId = accountIds[index % accounts] as number;
    const url = `${origin}/endpoints/${index}`;
    const caller = { accountId, feeds, hasApiAccess: true };
    await createEndpoint(context, caller, { url, event_types: [...EVENT_TYPES] } as never);
  }
}

/** One dispatcher with fifty endpoints, shared by the measures of dispatching, and the bare loop. */
export const dispatching = sharedIn(async (bench) => {
  const opened = await openDispatching(bench, { accounts: ACCOUNTS, endpoints: ENDPOINTS });
  const { pid = 0 } = await opened.startDispatcher();
  await opened.deliver();
  const bare = startWorker<BareSenderJob>(bench, "bare-sender.ts");
  const sendBare = () =>
    bare.ask<number>({
      url: `${opened.origin}/bare`,
      authorityFile: RECEIVER_AUTHORITY,
      body: "x".repeat(600),
      connections: CONNECTIONS,
      requests: opened.deliveries,
    });
  return { ...opened, pid, sendBare };
});

async function deliver(
  {
    client,
    receiver,
    events,
    endpoints,
  }: { client: pg.Client; receiver: Worker<ReceiverJob>; events: number; endpoints: number },
  isOneDead: boolean,
): Promise<Round> {
  await removeDeliveries(client);
  await receiver.ask({ kind: "hang", paths: isOneDead ? ["/endpoints/0"] : [] });
  const first = receiver.ask<number>({ kind: "nextArrival" });
  const answeredBefore = await receiver.ask<number>({ kind: "answered" });
  const msBefore = await serverMs(client);
  await insertEvents(client, events, { overDays: 0 });
  const startedAtMs = await first;
  const measured = events * (isOneDead ? endpoints - 1 : endpoints);
  // Asking the database all the time would be part of what is measured.
  while ((await receiver.ask<number>({ kind: "answered" })) < answeredBefore + measured) await wait(EVERY_MS);
  const dead = "endpoint_id = (SELECT min(id) FROM webhook_endpoint)";
  await waitUntil(
    client,
    `SELECT count(*) >= $1 AS is_so FROM webhook_result WHERE outcome = 'delivered' ${isOneDead ? `AND NOT ${dead}` : ""}`,
    [measured],
  );
  const endedAtMs = performance.timeOrigin + performance.now();
  const ms = (await serverMs(client)) - msBefore;
  await receiver.ask({ kind: "hang", paths: [] });
  await untilEnded(client, events * endpoints);
  return {
    perSecond: measured / ((endedAtMs - startedAtMs) / 1000),
    serverMicroseconds: (ms * 1_000) / measured,
  };
}

const DEADLOCK_DETECTED = "40P01";

/** Deletes all deliveries. A dispatcher may hold one table and wait for another one: then it is tried again. */
export const removeDeliveries = (client: pg.Client): Promise<unknown> =>
  pRetry(() => client.query("TRUNCATE webhook_delivery, webhook_result, webhook_retry"), {
    minTimeout: EVERY_MS,
    shouldRetry: ({ error }) => (error as Error & { code?: string }).code === DEADLOCK_DETECTED,
  });

/** Waits until so many deliveries are delivered, or failed and are retried only in a minute. */
export const untilEnded = (client: pg.Client, deliveries: number): Promise<void> =>
  waitUntil(
    client,
    `SELECT (SELECT count(*) FROM webhook_result WHERE outcome = 'delivered')
       + (SELECT count(*) FROM webhook_retry WHERE due_at > now()) = $1 AS is_so`,
    [deliveries],
  );

const LONGEST_MS = 300_000;
const EVERY_MS = 20;

/** Waits until a statement says that it is so. */
async function waitUntil(client: pg.Client, text: string, values: unknown[] = []): Promise<void> {
  const deadline = performance.now() + LONGEST_MS;
  while (performance.now() < deadline) {
    const { rows } = await client.query<{ is_so: boolean }>(text, values);
    if (rows[0]?.is_so) return;
    await wait(EVERY_MS);
  }
  throw new Error(`After five minutes this was not so: ${text}`);
}
