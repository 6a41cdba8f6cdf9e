import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, inject } from "vitest";
import { importFolder } from "../../src/importer/import.ts";
import type { Context } from "../../src/platform/context.ts";
import { settableClock } from "../support/clock.ts";
import { openTestContext } from "../support/context.ts";
import { administer, createTestDatabase, type TestDatabase } from "../support/database.ts";
import { runTdf } from "../support/processes/command.ts";
import type { ImportDay } from "../support/processes/import-processes.ts";
import { generateDays } from "../support/registry/registry-days.ts";
import { startTestService, type TestService } from "../support/service.ts";
import { LOOPBACK_ENV } from "../support/webhooks/dispatching.ts";
import { type Receiver, startReceiver } from "../support/webhooks/receiver.ts";

export const ROLE = `tdf_lesser_${randomBytes(4).toString("hex")}`;
export const clock = settableClock("2026-11-21T12:00:00Z");

export let folder: string;
export let database: TestDatabase;
export let days: ImportDay[];
/** As the owner of the tables. */
export let owner: Context;
/** As the role. */
export let service: TestService;
export let receiver: Receiver;
export let roleUrl: string;

/** The same address for another role of these tests. */
export function addressAs(role: string, address: string): string {
  const url = new URL(address);
  url.username = role;
  url.password = "lesser";
  return url.href;
}

export const importDay = async (day: ImportDay | undefined) => {
  if (day === undefined) throw new Error("There is no such day.");
  clock.set(day.now);
  await importFolder(owner, { dir: day.dir, asOf: null, accept: new Set() });
};

/** Gives the tests of a file a database whose owner imports, and a service of a role that owns none of its tables. */
export function useLesserRole(): void {
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), "tdf-role-"));
    [days, database, receiver] = await Promise.all([
      generateDays(folder, { seed: 7, count: 2 }),
      createTestDatabase(),
      startReceiver(),
    ]);
    await administer(inject("serverUrl"), `CREATE ROLE ${ROLE} LOGIN PASSWORD 'lesser'`);
    expect(await runTdf({ DATABASE_URL: database.url }, "migrate", "--grant", ROLE)).toMatchObject({
      status: 0,
    });
    roleUrl = addressAs(ROLE, database.url);
    owner = await openTestContext(database.url, clock);
    // Versions and partitions are made after the rights were given.
    await importDay(days[0]);
    service = await startTestService({ databaseUrl: roleUrl, clock, env: LOOPBACK_ENV });
  });
  afterAll(async () => {
    await service.stop();
    await owner.db.close();
    await receiver.close();
    await database.drop();
    await administer(inject("serverUrl"), `DROP ROLE ${ROLE}`);
    await rm(folder, { recursive: true, force: true });
  });
}
