// `serve` and `dispatch` run with a role that owns no table: the API over HTTP, a delivery, upkeep, and commands.
import { randomBytes } from "node:crypto";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { FEEDS } from "../../src/feeds/catalogue.ts";
import { keepTables } from "../../src/retention/upkeep.ts";
import { createTestKey } from "../../src/testmode/test-keys.ts";
import {
  administer,
  createTestDatabase,
  databaseName,
  databaseUrl,
  onServer,
  type TestDatabase,
} from "../support/database.ts";
import { runTdf } from "../support/processes/command.ts";
import { changeRows } from "../support/rows.ts";
import { TEST_SECRETS_KEY } from "../support/secrets.ts";
import { startTestDispatcher, untilIdle } from "../support/webhooks/dispatching.ts";
import {
  addressAs,
  clock,
  database,
  days,
  folder,
  importDay,
  owner,
  ROLE,
  receiver,
  roleUrl,
  service,
  useLesserRole,
} from "./lesser-role.ts";

useLesserRole();

/** A company of a feed. */
let explained: string;

it("serves the API and sends deliveries", async () => {
  const feeds = Object.fromEntries(FEEDS.map(({ code }) => [code, null]));
  const { key } = await service.createAccount({ feeds, requestsPerMinute: 10_000, rowsPerMonth: 1_000_000 });
  const page = await service.get("/v1/feeds/us_brokers/records?page_size=2", key);
  const { data } = (await page.json()) as { data: { dot_number: string }[] };
  const dot = data[0]?.dot_number ?? "";
  explained = data[1]?.dot_number ?? "";
  const paths = ["/v1/feeds", "/v1/feeds/us_brokers/export.csv", `/v1/carriers/${dot}`];
  for (const each of [...paths, "/v1/events", "/v1/usage"]) {
    const answer = await service.get(each, key);
    await answer.arrayBuffer();
    expect([each, answer.status]).toEqual([each, 200]);
  }
  const body = { url: `${receiver.url}/in`, event_types: ["new_authority_granted", "authority_inactive"] };
  const headers = { "Idempotency-Key": "one" };
  expect((await service.send("POST", "/v1/webhooks", { key, body, headers })).status).toBe(201);
  expect((await service.send("POST", "/v1/opt-out", { body: { usdot: dot } })).status).toBe(202);
  expect((await service.get(`/v1/carriers/${dot}`, key)).status).toBe(404);
  const dispatcher = startTestDispatcher(service.context);
  await importDay(days[1]);
  await untilIdle(service.context);
  await dispatcher.stop();
  expect(receiver.received.length).toBeGreaterThan(3);
  expect((await service.get("/v1/feeds/us_brokers/changes?since_version=5", key)).status).toBe(200);
});

it("does the upkeep: it makes and drops partitions and drops versions", async () => {
  const { pool } = owner.db;
  const partitions = async () =>
    (await pool.query("SELECT inhrelid::regclass::text AS name FROM pg_inherits")).rows.map(
      ({ name }) => name,
    );
  const versions = async () =>
    (await pool.query("SELECT tablename FROM pg_tables WHERE schemaname = 'published'")).rows.length;
  const before = await partitions();
  expect(await versions()).toBe(10);
  clock.advance(40 * 24 * 3_600_000);
  expect(await keepTables(service.context)).toContain("webhook_delivery");
  expect(await versions()).toBe(5);
  const made = (await partitions()).filter((name) => !before.includes(name));
  expect(made.length).toBeGreaterThan(3);
  clock.advance(200 * 24 * 3_600_000);
  await keepTables(service.context);
  const left = await partitions();
  expect(before.filter((name) => /webhook_delivery_2/.test(name) && left.includes(name))).toEqual([]);
});

it("can neither alter, drop or empty a table, nor use upkeep's functions on others", async () => {
  const { pool } = service.context.db;
  for (const statement of [
    "ALTER TABLE account ADD COLUMN more text",
    "DROP TABLE account",
    "TRUNCATE account",
    "CREATE TABLE mine (id int)",
    "DELETE FROM _prisma_migrations",
    "DELETE FROM published.feed_1",
    "SELECT drop_partition('account')",
    "SELECT drop_version((SELECT max(id) FROM feed_version))",
  ]) {
    await expect(pool.query(statement), statement).rejects.toThrow(
      /permission denied|must be owner|no partition|is recorded|does not exist/,
    );
  }
});

it("runs commands, or says in one line that they need the owner", async () => {
  const tdf = (...words: string[]) => runTdf({ DATABASE_URL: roleUrl, DATA_DIR: folder }, ...words);
  for (const words of [
    ["status"],
    ["account", "list"],
    ["plan", "list"],
    ["removal", "list"],
    ["explain", explained],
    ["log"],
    ["backup", path.join(folder, "role.backup")],
  ]) {
    expect(await tdf(...words)).toMatchObject({ err: "", status: 0 });
  }
  expect(await tdf("migrate")).toMatchObject({ out: "The database is up to date.\n", status: 0 });
  const { err, status } = await tdf("import", "--dir", days[1]?.dir ?? "");
  expect(status).toBe(2);
  expect(err.trim().split("\n").at(-1)).toMatch(
    /permission denied .* This command needs the owner of the tables/,
  );
  expect(err).not.toContain("    at ");
  expect((await tdf("import", "list")).out).toMatch(
    / failed .* The role lacks a right: an import needs the owner of the tables\./,
  );
  // PostgreSQL only warns of rights that it does not give.
  const { username } = new URL(database.url);
  expect(await tdf("migrate", "--grant", "pg_monitor")).toMatchObject({
    status: 2,
    err: expect.stringContaining(`The role "${username}" owns the tables, and only it can give rights`),
  });
});

it("serves test mode too, when its rights were given after the first test key", async () => {
  const { accountId } = await service.createAccount();
  const { key } = await createTestKey(owner, accountId, "first");
  const read = () => service.get("/v1/feeds/us_brokers/records", key);
  expect((await read()).status).toBeGreaterThanOrEqual(500);
  expect(
    await runTdf({ DATABASE_URL: roleUrl }, "key", "list", "--account", String(accountId)),
  ).toMatchObject({
    status: 2,
    err: expect.stringMatching(
      /^This role .* may not read the tables of tdf_test_\w+_test .*Run "migrate --grant ROLE"/,
    ),
  });
  expect((await runTdf({ DATABASE_URL: database.url }, "migrate", "--grant", ROLE)).status).toBe(0);
  expect((await read()).status).toBe(200);
  const created = await service.send("POST", "/v1/watchlists", { key, body: { name: "Clients" } });
  expect(created.status).toBe(201);
});

describe("where a superuser and an owner are two roles", () => {
  const OWNER = `tdf_owner_${randomBytes(4).toString("hex")}`;
  let own: TestDatabase;
  let ownerUrl: string;
  let ownRoleUrl: string;
  beforeAll(async () => {
    own = await createTestDatabase({ isEmpty: true });
    await administer(inject("serverUrl"), `CREATE ROLE ${OWNER} LOGIN PASSWORD 'lesser'`);
    await administer(inject("serverUrl"), `ALTER DATABASE ${databaseName(own.url)} OWNER TO ${OWNER}`);
    ownerUrl = addressAs(OWNER, own.url);
    ownRoleUrl = addressAs(ROLE, own.url);
    expect(await runTdf({ DATABASE_URL: ownerUrl }, "migrate")).toMatchObject({ status: 0 });
  });
  afterAll(async () => {
    await own.drop();
    await administer(inject("serverUrl"), `DROP ROLE ${OWNER}`);
  });

  it("gives the rights on what the owner makes later, also when a superuser gives them", async () => {
    expect(await runTdf({ DATABASE_URL: own.url }, "migrate", "--grant", ROLE)).toMatchObject({ status: 0 });
    const { dir, now } = days[0] ?? { dir: "", now: "" };
    const words = ["import", "--dir", dir, "--as-of", now.slice(0, 10)];
    expect(await runTdf({ DATABASE_URL: ownerUrl }, ...words)).toMatchObject({ status: 0 });
    const explain = await runTdf({ DATABASE_URL: ownRoleUrl }, "explain", explained);
    expect(explain).toMatchObject({ err: "", status: 0 });
    const next = ["import", "--dir", days[1]?.dir ?? ""];
    expect(await runTdf({ DATABASE_URL: ownerUrl }, ...next)).toMatchObject({ status: 0 });
    const rollback = await runTdf({ DATABASE_URL: ownRoleUrl }, "feed", "rollback", "us_brokers");
    expect(rollback).toMatchObject({ err: "", status: 0 });
  });

  it("leaves a database of test mode that belongs to the lesser role to it", async () => {
    const name = `${databaseName(own.url)}_test`;
    await administer(inject("serverUrl"), `CREATE DATABASE ${name} OWNER ${ROLE}`);
    await onServer(own.url, (client) => changeRows(client, "installation", { test_mode_since: new Date() }));
    const { status, out } = await runTdf({ DATABASE_URL: ownerUrl }, "migrate", "--grant", ROLE);
    expect(status).toBe(0);
    expect(out).toContain(`The database ${name} of test mode belongs to the role ${ROLE}: `);
  });

  // The lesser role of a service can't migrate it.
  it("migrates the database of test mode also without --grant", async () => {
    const name = `${databaseName(own.url)}_test`;
    await administer(inject("serverUrl"), `DROP DATABASE ${name}`);
    await administer(inject("serverUrl"), `ALTER ROLE ${OWNER} CREATEDB`);
    const env = { DATABASE_URL: ownerUrl, SECRETS_KEY: TEST_SECRETS_KEY };
    expect(await runTdf(env, "migrate")).toMatchObject({ err: "", status: 0 });
    const url = databaseUrl(own.url, name);
    const { rows } = await onServer(url, (client) =>
      client.query("SELECT fixture IS NOT NULL AS filled FROM installation"),
    );
    expect(rows).toEqual([{ filled: true }]);
  });
});

it("says what to do when migrations are due, or the role is wrong", async () => {
  await owner.db.pool.query(
    "DELETE FROM _prisma_migrations WHERE migration_name = (SELECT max(migration_name) FROM _prisma_migrations)",
  );
  const { err } = await runTdf({ DATABASE_URL: roleUrl }, "status");
  expect(err).toMatch(/^Migrations are due.* as the owner of the tables first\.\n$/);
  const grant = (role: string) => runTdf({ DATABASE_URL: database.url }, "migrate", "--grant", role);
  expect((await grant("no_such_role")).status).not.toBe(0);
});
