import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import pg from "pg";
import { EVENT_TYPES } from "../../src/events/event-types.ts";
import { FEEDS } from "../../src/feeds/catalogue.ts";
import type { Context } from "../../src/platform/context.ts";
import { fanOut } from "../../src/webhooks/deliveries/fan-out.ts";
import { createEndpoint } from "../../src/webhooks/endpoints/create.ts";
import { type Bench, sharedIn } from "./bench.ts";
import { openAccounts } from "./customer.ts";
import { newDatabase } from "./databases.ts";
import { writeEvents } from "./events.ts";
import { onDatabase } from "./open-database.ts";
import type { BareSenderJob } from "./processes/bare-sender.ts";
import type { ReceiverJob } from "./processes/receiver.ts";
import { RECEIVER_AUTHORITY, startLogged, until } from "./program.ts";
import { startWorker, type Worker } from "./worker.ts";

/** A dispatcher's default number of deliveries in flight; the bare loop has the same. */
const CONNECTIONS = 50;
/** Each of them gets every event. */
export const ENDPOINTS = 50;
/** An account may have ten deliveries in flight, an endpoint five. */
const ACCOUNTS = 25;
const TLS = path.join(import.meta.dirname, "../../test/fixtures/tls");

/** A dispatcher that waits for deliveries to the endpoints of a receiver. */
export interface Dispatching {
  /** Deliveries in a round. */
  deliveries: number;
  databaseUrl: string;
  /** The dispatcher's process. */
  pid: number;
  receiver: Worker<ReceiverJob>;
  /** Queues all deliveries again; returns how many a second were sent and recorded, without those to a dead endpoint. */
  deliver(options: { isOneDead: boolean }): Promise<number>;
  /** Requests a second of the bare loop to the same receiver. */
  sendBare(): Promise<number>;
}

/** The dispatcher under test with its own database, shared by the measures of dispatching. */
export const dispatching = sharedIn(async (bench): Promise<Dispatching> => {
  const receiver = startWorker<ReceiverJob>(bench, "receiver.ts");
  const origin = await receiver.ask<string>({
    kind: "listen",
    certificateFile: path.join(TLS, "receiver.pem"),
    keyFile: path.join(TLS, "receiver.key"),
  });
  const databaseUrl = await newDatabase(bench);
  const deliveries = await onDatabase(bench, databaseUrl, (context) =>
    queueDeliveries(context, bench, origin),
  );
  const { child, logFile } = startLogged(bench, databaseUrl, ["dispatch"], "dispatch");
  await until(child, logFile, (lines) => lines.some(({ msg }) => msg === "Dispatching.") || undefined);
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  bench.ending.defer(() => client.end());
  await waitUntilSent(client, "");
  const bare = startWorker<BareSenderJob>(bench, "bare-sender.ts");
  return {
    deliveries,
    databaseUrl,
    pid: child.pid ?? 0,
    receiver,
    deliver: (options) => deliver({ client, receiver, deliveries }, options),
    sendBare: () =>
      bare.ask<number>({
        url: `${origin}/bare`,
        authorityFile: RECEIVER_AUTHORITY,
        body: "x".repeat(600),
        connections: CONNECTIONS,
        requests: deliveries,
      }),
  };
});

async function queueDeliveries(context: Context, bench: Bench, origin: string): Promise<number> {
  const accounts = await openAccounts(context, ACCOUNTS);
  const feeds = new Map(FEEDS.map(({ code }) => [code, null]));
  for (let index = 0; index < ENDPOINTS; index++) {
    const accountId = accounts[index % ACCOUNTS] as number;
    const url = `${origin}/endpoints/${index}`;
    const caller = { accountId, feeds, hasApiAccess: true };
    await createEndpoint(context, caller, { url, event_types: [...EVENT_TYPES] } as never);
  }
  await writeEvents(context, Math.ceil(bench.sizes.deliveries / ENDPOINTS));
  return fanOut(context);
}

interface Round {
  client: pg.Client;
  receiver: Worker<ReceiverJob>;
  deliveries: number;
}

async function deliver(
  { client, receiver, deliveries }: Round,
  { isOneDead }: { isOneDead: boolean },
): Promise<number> {
  await client.query("TRUNCATE webhook_attempt");
  await client.query("VACUUM ANALYZE webhook_delivery");
  await receiver.ask({ kind: "hang", paths: isOneDead ? ["/endpoints/0"] : [] });
  const first = receiver.ask<number>({ kind: "nextArrival" });
  await client.query(
    `UPDATE webhook_delivery SET status = 'queued', due_at = now(), attempt = 0, failures = 0, lease_until = NULL,
       finished_at = NULL`,
  );
  const startedAtMs = await first;
  const others = isOneDead ? "AND endpoint_id <> (SELECT min(id) FROM webhook_endpoint)" : "";
  const endedAtMs = await waitUntilSent(client, others);
  await receiver.ask({ kind: "hang", paths: [] });
  // Deliveries to the dead endpoint would be retried only in a minute.
  await client.query("UPDATE webhook_delivery SET due_at = now() WHERE status = 'queued'");
  await waitUntilSent(client, "");
  await requireAllDelivered(client);
  const measured = isOneDead ? (deliveries / ENDPOINTS) * (ENDPOINTS - 1) : deliveries;
  return measured / ((endedAtMs - startedAtMs) / 1000);
}

const LONGEST_MS = 300_000;

/** Waits until nothing is queued or in flight; returns that time. */
async function waitUntilSent(client: pg.Client, condition: string): Promise<number> {
  const deadline = performance.now() + LONGEST_MS;
  while (performance.now() < deadline) {
    const { rows } = await client.query<{ isLeft: boolean }>(
      `SELECT EXISTS (SELECT FROM webhook_delivery WHERE status = 'queued' ${condition})
         OR EXISTS (SELECT FROM webhook_delivery WHERE status = 'sending' ${condition}) AS "isLeft"`,
    );
    if (!rows[0]?.isLeft) return performance.timeOrigin + performance.now();
    await wait(20);
  }
  throw new Error("Deliveries were still queued after five minutes.");
}

async function requireAllDelivered(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ status: string; deliveries: number }>(
    "SELECT status, count(*)::int AS deliveries FROM webhook_delivery WHERE status <> 'delivered' GROUP BY status",
  );
  if (rows.length > 0) throw new Error(`Not everything was delivered: ${JSON.stringify(rows)}`);
}
