import { afterAll, beforeAll, expect, it } from "vitest";
import { allowWrites, refuseWrites } from "../../../support/database/refused-writes.ts";
import { createTestDatabase, type TestDatabase } from "../../../support/database.ts";
import { memoryLog } from "../../../support/memory-log.ts";
import { isPooled } from "../../../support/network/pooled-database.ts";
import { type CuttableWay, cuttableWayTo } from "../../../support/network/tcp-proxy.ts";
import { changeRows } from "../../../support/rows.ts";
import { startTestService, type TestService } from "../../../support/service.ts";

let database: TestDatabase;
let way: CuttableWay;
let service: TestService;
let key: string;
const { log, lines } = memoryLog();

beforeAll(async () => {
  database = await createTestDatabase();
  way = await cuttableWayTo(database.url);
  service = await startTestService({ databaseUrl: way.url, poolSizes: { requests: 2, bulk: 1 }, log });
  ({ key } = await service.createAccount());
});
afterAll(async () => {
  await service.stop();
  await way.close();
  await database.drop();
});

const statusOf = async (path: string): Promise<number> => (await service.get(path)).status;

it("answers 503 unavailable when every connection is in use, and still answers requests that need none", async () => {
  const { pool } = service.context.db;
  const clients = await Promise.all([pool.connect(), pool.connect()]);
  let isAnswered = false;
  const blocked = service.get("/v1/usage", key).finally(() => {
    isAnswered = true;
  });
  expect(await statusOf("/healthz")).toBe(200);
  expect((await service.get("/v1/usage", "tdf_live_nonsense")).status).toBe(401);
  expect(isAnswered).toBe(false);
  const answer = await blocked;
  for (const client of clients) client.release();
  expect(answer.status).toBe(503);
  expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
  expect(await answer.json()).toMatchObject({ code: "unavailable", title: "Temporarily unavailable" });
  expect((await service.get("/v1/usage", key)).status).toBe(200);
});

it("stays alive without its database, is not ready, and recovers by itself", async ({ skip }) => {
  skip(isPooled, "A pooler answers beside the way that this test cuts.");
  expect(await statusOf("/readyz")).toBe(200);
  way.cut();
  const answers = await Promise.all(Array.from({ length: 10 }, () => service.get("/v1/usage", key)));
  expect(answers.map((answer) => answer.status)).toEqual(Array(10).fill(503));
  expect(await answers[0]?.json()).toMatchObject({
    code: "unavailable",
    detail: "The service cannot answer at the moment. Try again shortly.",
  });
  expect(await statusOf("/readyz")).toBe(503);
  expect(await statusOf("/healthz")).toBe(200);
  expect(await statusOf("/metrics")).toBe(200);
  way.mend();
  expect(await statusOf("/readyz")).toBe(200);
  expect((await service.get("/v1/usage", key)).status).toBe(200);
});

it("is not ready while the database lacks a migration", async () => {
  const { pool } = service.context.db;
  await changeRows(pool, "_prisma_migrations", { finished_at: null });
  expect(await statusOf("/readyz")).toBe(503);
  await changeRows(pool, "_prisma_migrations", { finished_at: new Date() });
  expect(await statusOf("/readyz")).toBe(200);
});

// Space on a full disk may be freed: a client that gets 500 would not try again.
it.each([
  ["disk_full", "53100"],
  ["out_of_memory", "53200"],
  ["io_error", "58030"],
])("answers 503 unavailable with Retry-After while writes fail with %s", async (_name, sqlState) => {
  const { pool } = service.context.db;
  const paths: [string, string, object | undefined][] = [
    ["key_minute", "GET /v1/usage", undefined],
    ["removal_request", "POST /v1/opt-out", { usdot: "44110" }],
  ];
  for (const [table, operation, body] of paths) {
    const [method = "", path = ""] = operation.split(" ");
    const ask = () => service.send(method, path, { key, body });
    await refuseWrites(pool, table, sqlState);
    const answer = await ask();
    await allowWrites(pool, table);
    expect([operation, answer.status]).toEqual([operation, 503]);
    expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
    const text = await answer.text();
    expect(JSON.parse(text)).toMatchObject({ code: "unavailable" });
    expect(text).not.toContain("space");
    expect([operation, (await ask()).ok]).toEqual([operation, true]);
  }
});

it("logs at level error that the disk is full", async () => {
  const { pool } = service.context.db;
  await refuseWrites(pool, "key_minute", "53100");
  await service.get("/v1/usage", key);
  await allowWrites(pool, "key_minute");
  expect(
    lines()
      .filter(({ msg }) => msg === "The database's disk is full.")
      .at(-1),
  ).toMatchObject({
    level: "error",
  });
});
