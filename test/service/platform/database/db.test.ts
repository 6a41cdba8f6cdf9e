import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import type { Clock } from "../../../../src/platform/clock.ts";
import type { Database } from "../../../../src/platform/context.ts";
import { checkClockSkew } from "../../../../src/platform/database/database-clock.ts";
import {
  DatabaseUnavailableError,
  toDatabaseError,
} from "../../../../src/platform/database/database-error.ts";
import { openDatabase } from "../../../../src/platform/database/db.ts";
import { createLog } from "../../../../src/platform/log.ts";
import { OperatorError } from "../../../../src/platform/operator-error.ts";
import { createTestDatabase, databaseAtPort, type TestDatabase } from "../../../support/database.ts";

const log = createLog("silent");
let testDatabase: TestDatabase;
let db: Database;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
});
afterAll(() => testDatabase.drop());

beforeEach(async () => {
  db = await openDatabase({ url: testDatabase.url, log, poolSizes: { requests: 2, bulk: 2 } });
});
afterEach(() => db.close());

/** The error of `run`, as the API sees it. */
const failureOf = (run: () => Promise<unknown>): Promise<unknown> =>
  run().then(() => {
    throw new Error("It should have failed.");
  }, toDatabaseError);

const terminateOthers = () =>
  db.bulkPool.query(
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()",
  );

test("reads a bigint as a number, a date as its text, numeric unchanged", async () => {
  const { rows } = await db.pool.query(
    `SELECT 9007199254740991::bigint AS big, ARRAY[1, NULL]::bigint[] AS bigs, date '2026-01-02' AS day,
       ARRAY['2026-01-02', NULL]::date[] AS days, 1.10::numeric AS exact, timestamptz '2026-01-02 03:04:05Z' AS at`,
  );
  expect(rows[0]).toEqual({
    big: 9007199254740991,
    bigs: [1, null],
    day: "2026-01-02",
    days: ["2026-01-02", null],
    exact: "1.10",
    at: new Date("2026-01-02T03:04:05Z"),
  });
  await expect(db.pool.query("SELECT 9007199254740992::bigint")).rejects.toThrow(RangeError);
});

test("uses UTC on every connection, even when the database prefers another zone", async () => {
  const own = await createTestDatabase();
  const address = new URL(own.url);
  address.searchParams.set("options", "-c TimeZone=Asia/Tokyo -c geqo=off");
  const other = await openDatabase({ url: address.href, log });
  try {
    const asked = "SELECT current_setting('TimeZone') AS zone, current_setting('geqo') AS geqo";
    expect((await other.pool.query(asked)).rows).toEqual([{ zone: "UTC", geqo: "off" }]);
    expect((await other.bulkPool.query(asked)).rows).toEqual([{ zone: "UTC", geqo: "off" }]);
    expect(await other.prisma.$queryRawUnsafe(asked)).toEqual([{ zone: "UTC", geqo: "off" }]);
  } finally {
    await other.close();
    await own.drop();
  }
});

test("stores with Prisma the instant that SQL reads", async () => {
  const startedAt = new Date("2026-01-02T01:02:03Z");
  await db.prisma.importRun.create({ data: { status: "failed", folder: "x", startedAt } });
  const { rows } = await db.pool.query("SELECT started_at::text AS text, started_at FROM import_run");
  expect(rows).toEqual([{ text: "2026-01-02 01:02:03+00", started_at: startedAt }]);
});

test("survives connections that are cut while busy and while idle, and continues with new ones", async () => {
  const working = await Promise.all([db.pool.connect(), db.pool.connect()]);
  const ended = working.map((client) => new Promise((resolve) => client.once("end", resolve)));
  await terminateOthers();
  await Promise.all(ended);
  const failure = await failureOf(() => (working[0] ?? db.pool).query("SELECT 1"));
  expect(failure).toBeInstanceOf(DatabaseUnavailableError);
  for (const client of working) client.release();
  expect((await db.pool.query("SELECT 1 AS one")).rows).toEqual([{ one: 1 }]);

  const idle = new Promise((resolve) => db.pool.once("remove", resolve));
  await terminateOthers();
  await idle;
  expect((await db.pool.query("SELECT 1 AS one")).rows).toEqual([{ one: 1 }]);
});

test("reports a query cut in the middle as unavailable, in pg, in Prisma and in transactions", async () => {
  const cut = async (run: () => Promise<unknown>) => {
    const failure = failureOf(run);
    await expect
      .poll(() => db.bulkPool.query("SELECT FROM pg_stat_activity WHERE wait_event = 'PgSleep'"))
      .toMatchObject({ rowCount: 1 });
    await terminateOthers();
    return failure;
  };
  const asleep = "SELECT pg_sleep(30)::text";
  expect(await cut(() => db.pool.query(asleep))).toBeInstanceOf(DatabaseUnavailableError);
  expect(await cut(() => db.prisma.$queryRawUnsafe(asleep))).toBeInstanceOf(DatabaseUnavailableError);
  expect(await cut(() => db.prisma.$transaction((tx) => tx.$queryRawUnsafe(asleep)))).toBeInstanceOf(
    DatabaseUnavailableError,
  );
  expect(await cut(() => db.transaction((client) => client.query(asleep)))).toBeInstanceOf(
    DatabaseUnavailableError,
  );
  expect(await db.prisma.$queryRaw`SELECT 1 AS one`).toEqual([{ one: 1 }]);
});

test("stops waiting for a free connection in time, in pg, in Prisma and in transactions", async () => {
  const held = await Promise.all([db.pool.connect(), db.pool.connect()]);
  try {
    const failures = await Promise.all([
      failureOf(() => db.pool.query("SELECT 1")),
      failureOf(() => db.prisma.$queryRaw`SELECT 1`),
      failureOf(() => db.prisma.account.findFirst()),
      failureOf(() => db.prisma.$transaction((tx) => tx.account.findFirst())),
      failureOf(() => db.transaction(async () => {})),
    ]);
    for (const failure of failures) expect(failure).toBeInstanceOf(DatabaseUnavailableError);
  } finally {
    for (const client of held) client.release();
  }
});

test("ends a statement of a request that takes too long, but not bulk work", async () => {
  const timeouts = await Promise.all(
    [db.pool, db.bulkPool].map((pool) => pool.query("SHOW statement_timeout").then(({ rows }) => rows[0])),
  );
  expect(timeouts).toEqual([{ statement_timeout: "5s" }, { statement_timeout: "0" }]);
  await db.pool.query("SET statement_timeout = 20");
  expect(await failureOf(() => db.pool.query("SELECT pg_sleep(30)"))).toBeInstanceOf(
    DatabaseUnavailableError,
  );
});

test("runs bulk work at the server's own address, and without the role's time limit", async () => {
  const direct = new URL(testDatabase.url);
  direct.searchParams.set("options", "-c statement_timeout=9s -c geqo=off");
  const split = await openDatabase({ url: testDatabase.url, directUrl: direct.href, log });
  const asked = "SELECT current_setting('geqo') AS geqo, current_setting('statement_timeout') AS timeout";
  try {
    expect((await split.pool.query(asked)).rows).toEqual([{ geqo: "on", timeout: "5s" }]);
    expect((await split.bulkPool.query(asked)).rows).toEqual([{ geqo: "off", timeout: "0" }]);
  } finally {
    await split.close();
  }
});

test("commits a transaction, or rolls it back completely when it throws", async () => {
  await db.pool.query("CREATE TABLE kept (n int)");
  expect(
    await db.transaction(async (client) => (await client.query("INSERT INTO kept VALUES (1)")).rowCount),
  ).toBe(1);
  for (const run of [db.transaction, db.bulkTransaction]) {
    const failing = run(async (client) => {
      await client.query("INSERT INTO kept VALUES (2)");
      throw new Error("no");
    });
    await expect(failing).rejects.toThrow("no");
  }
  expect((await db.pool.query("SELECT n FROM kept")).rows).toEqual([{ n: 1 }]);
  await expect(db.transaction((client) => client.query("SELECT nonsense"))).rejects.toThrow(/nonsense/);
  expect(db.pool.totalCount - db.pool.idleCount).toBe(0);
});

test("does not change other errors", async () => {
  const failure = await failureOf(() => db.pool.query("SELECT nonsense"));
  expect(failure).toMatchObject({ code: "42703" });
  const missing = await failureOf(() => db.prisma.account.update({ where: { id: 0 }, data: {} }));
  expect(missing).toMatchObject({ code: "P2025" });
  expect(toDatabaseError("text")).toBe("text");
});

/** Forwards connections to the real server until it is told to swallow everything. */
async function startProxy(port = 0): Promise<{ url: string; swallow(): void; stop(): void }> {
  const { hostname: host, port: serverPort } = new URL(testDatabase.url);
  const target = { host, port: Number(serverPort) };
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    const upstream = connect(target);
    sockets.push(socket, upstream);
    for (const end of [socket, upstream]) end.on("error", () => {});
    socket.pipe(upstream).pipe(socket);
  }).listen(port, "127.0.0.1");
  await once(server, "listening");
  const each = (act: (socket: Socket) => void) => () => sockets.forEach(act);
  const stop = () => {
    server.close();
    each((socket) => socket.destroy())();
  };
  const url = databaseAtPort(testDatabase.url, (server.address() as AddressInfo).port);
  return { url, swallow: each((socket) => socket.unpipe().resume()), stop };
}

test("waits at the start for a server that is starting, and refuses with one sentence if none answers", async () => {
  const { url, stop } = await startProxy();
  stop();
  const failure = openDatabase({ url, log, connectTimeoutMs: 150 });
  await expect(failure).rejects.toThrow(OperatorError);
  await expect(failure).rejects.toThrow(/not available: .*ECONNREFUSED.*\. Check DATABASE_URL/);
  const bySocket = openDatabase({ url: `${url}?host=/nowhere`, log, connectTimeoutMs: 150 });
  await expect(bySocket).rejects.toThrow(/not available: connect ENOENT .*\. Check DATABASE_URL/);

  const opening = openDatabase({ url, log });
  const proxy = await startProxy(Number(new URL(url).port));
  await (await opening).close();
  proxy.stop();
});

test("stops waiting for a server that the network no longer reaches", async () => {
  const proxy = await startProxy();
  const far = await openDatabase({ url: proxy.url, log, poolSizes: { requests: 3, bulk: 1 } });
  const working = await Promise.all([far.pool.connect(), far.pool.connect(), far.pool.connect()]);
  for (const client of working) client.release();
  proxy.swallow();
  const failures = await Promise.all([
    failureOf(() => far.pool.query("SELECT 1")),
    failureOf(() => far.prisma.$queryRaw`SELECT 1`),
    failureOf(() => far.transaction((client) => client.query("SELECT 1"))),
  ]);
  for (const failure of failures) expect(failure).toBeInstanceOf(DatabaseUnavailableError);
  expect((await far.pool.query("SELECT 1 AS one")).rows).toEqual([{ one: 1 }]);
  proxy.stop();
  await far.close();
});

test("does not wait for a server that refuses the connection", async () => {
  const address = new URL(testDatabase.url);
  address.pathname = "/no_such_database";
  const failure = openDatabase({ url: address.href, log });
  await expect(failure).rejects.toThrow(OperatorError);
  await expect(failure).rejects.toThrow(/"no_such_database" does not exist\. Check DATABASE_URL/);
});

test("refuses a clock that is more than 30 s from the database's", async () => {
  const shifted = (bySeconds: number): Clock => ({ now: () => new Date(Date.now() + bySeconds * 1000) });
  await checkClockSkew(db, shifted(0));
  await expect(checkClockSkew(db, shifted(-60))).rejects.toThrow(/clock is 60 s behind the database's/);
  await expect(checkClockSkew(db, shifted(60))).rejects.toThrow(/clock is (59|60) s ahead of the database's/);
  await expect(checkClockSkew(db, shifted(60))).rejects.toThrow(OperatorError);
});
