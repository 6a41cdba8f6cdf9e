import { mkdtemp, rm } from "node:fs/promises";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Application } from "express";
import { type KeyTerms, NO_TERMS } from "../../src/accounts/keys/key-terms.ts";
import { createKey } from "../../src/accounts/keys/keys.ts";
import { startUsageCounter } from "../../src/accounts/usage/usage-counter.ts";
import { stopApi } from "../../src/api/connection/stop.ts";
import { type Bounds, createApi, listen } from "../../src/api/server.ts";
import type { Handlers } from "../../src/generated/operations.ts";
import { routeMcp } from "../../src/mcp/mcp.ts";
import { routePagesOnUse } from "../../src/pages/on-use.ts";
import { configFrom } from "../../src/platform/config/config.ts";
import { type Context, type EntryContext, entryContextOf } from "../../src/platform/context.ts";
import { openDatabase } from "../../src/platform/database/db.ts";
import { createLog, type Log } from "../../src/platform/log.ts";
import { createMetrics } from "../../src/platform/metrics.ts";
import { startTracing } from "../../src/platform/tracing/tracing.ts";
import { openAccount } from "./accounts.ts";
import { type SettableClock, settableClock } from "./clock.ts";
import { createTestDatabase } from "./database.ts";
import { behindPooler } from "./network/pooled-database.ts";
import { TEST_SECRETS } from "./secrets.ts";
import { copyTestMode } from "./test-mode.ts";

export interface TestServiceOptions {
  /** Shows 2026-11-21 12:00 UTC unless given. */
  clock?: SettableClock;
  env?: Readonly<Record<string, string>>;
  log?: Log;
  bounds?: Bounds;
  /** A free one unless given. */
  port?: number;
  poolSizes?: { requests: number; bulk: number };
  /** Pages of the test's own, beside those of the service. */
  morePages?: (app: Application, context: EntryContext) => void;
  /** Other handlers than the real ones. */
  handlers?: Handlers;
  /** Has the database of test mode from the start. */
  hasTestMode?: boolean;
  /** An existing database, for example for a second process; it is kept when the service stops. */
  databaseUrl?: string;
}

type Plan = Parameters<typeof openAccount>[1];

export interface TestService {
  url: string;
  port: number;
  server: Server;
  context: Context;
  clock: SettableClock;
  /** An account on its own plan (feeds: code → states, null = every state), with one key. */
  createAccount(plan?: Plan): ReturnType<typeof openAccount>;
  /** Another key of an account. */
  createKey(accountId: number, terms?: Partial<KeyTerms>): ReturnType<typeof createKey>;
  /** GET with a key, or without one. */
  get(path: string, key?: string, headers?: Record<string, string>): Promise<Response>;
  /** Any other request; a body goes as JSON. */
  send(
    method: string,
    path: string,
    sent?: { key?: string | undefined; body?: unknown; headers?: Record<string, string> | undefined },
  ): Promise<Response>;
  stop(): Promise<void>;
}

/** The real service on its own port, over a new database. */
export async function startTestService(options: TestServiceOptions = {}): Promise<TestService> {
  const clock = options.clock ?? settableClock("2026-11-21T12:00:00Z");
  const log = options.log ?? createLog("silent");
  const database = options.databaseUrl ? null : await createTestDatabase();
  const databaseUrl = options.databaseUrl ?? database?.url ?? "";
  if (options.hasTestMode) await copyTestMode(databaseUrl);
  const dataDir = await mkdtemp(path.join(tmpdir(), "tdf-service-"));
  const config = configFrom({ DATABASE_URL: databaseUrl, DATA_DIR: dataDir, PORT: "0", ...options.env });
  const poolSizes = options.poolSizes ?? { requests: 8, bulk: 2 };
  const { databaseDirectUrl: directUrl, databaseReadUrl: readUrl, namesStatements } = config;
  const addresses = behindPooler({ url: databaseUrl, directUrl, namesStatements });
  const metrics = createMetrics();
  const db = await openDatabase({ ...addresses, readUrl, log, metrics, poolSizes });
  const context: Context = { config, clock, log, db, metrics, secrets: TEST_SECRETS };
  const stopTracing = await startTracing(config, log);
  const entryContext = entryContextOf(context);
  const stopCounting = startUsageCounter(context);
  const app = await createApi(entryContext, {
    ...(options.handlers && { handlers: options.handlers }),
    routeTools: routeMcp,
    routePages: (own, entry) => {
      options.morePages?.(own, entry);
      routePagesOnUse(own, entry);
    },
  });
  const server = await listen(
    entryContext,
    app,
    { host: "127.0.0.1", port: options.port ?? 0 },
    options.bounds,
  );
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  return {
    url,
    port,
    server,
    context,
    clock,
    createAccount: (plan) => openAccount(context, plan),
    createKey: (accountId, terms) => createKey(context, accountId, "another", { ...NO_TERMS, ...terms }),
    get: (path, key, headers = {}) =>
      fetch(url + path, {
        headers: key === undefined ? headers : { "X-API-Key": key, ...headers },
        signal: AbortSignal.timeout(30_000),
        redirect: "manual",
      }),
    send: (method, path, { key, body, headers } = {}) =>
      fetch(url + path, {
        method,
        headers: {
          ...(key === undefined ? {} : { "X-API-Key": key }),
          ...(body === undefined ? {} : { "Content-Type": "application/json" }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(30_000),
        redirect: "manual",
      }),
    stop: async () => {
      await stopApi(app, server, { graceMs: 1_000, noticeMs: 0 });
      await stopCounting();
      await db.close();
      await stopTracing();
      await database?.drop();
      await rm(dataDir, { recursive: true, force: true, maxRetries: 10 });
    },
  };
}
