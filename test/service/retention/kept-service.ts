import { afterAll, beforeAll, beforeEach } from "vitest";
import type { components } from "../../../src/generated/types.ts";
import { KEPT_TABLES } from "../../../src/retention/kept-tables.ts";
import { keepTables } from "../../../src/retention/upkeep.ts";
import { putEvents } from "../../support/events/events.ts";
import { EVERYTHING } from "../../support/feeds/served-feeds.ts";
import { removeRows } from "../../support/rows.ts";
import { startTestService, type TestService } from "../../support/service.ts";
import { quieten } from "../../support/webhooks/dispatching.ts";

export type EventsOut = components["schemas"]["EventsOut"];

export let service: TestService;
export let account: Awaited<ReturnType<TestService["createAccount"]>>;

export const query = async (sql: string, values: unknown[] = []) =>
  (await service.context.db.bulkPool.query(sql, values)).rows;
export const keep = (...tables: string[]) =>
  keepTables(service.context, {
    tables: KEPT_TABLES.filter(({ table }) => tables.length === 0 || tables.includes(table)),
  });
/** Two years are the default. */
export const OLD = "2024-11-01T12:00:00Z";
export const put = (...times: string[]) =>
  putEvents(
    service.context.db,
    times.map((detectedAt) => ({ detectedAt })),
  );
export const eventIds = async () => (await query("SELECT id FROM event ORDER BY id")).map(({ id }) => id);

/** Gives the tests of a file a service, and each of them empty tables. */
export function useKeptService(): void {
  beforeAll(async () => {
    service = await startTestService();
    account = await service.createAccount({ ...EVERYTHING, rowsPerMonth: 1_000_000 });
  });
  afterAll(() => service.stop());
  beforeEach(async () => {
    service.clock.set("2026-11-21T12:00:00Z");
    const { bulkPool } = service.context.db;
    for (const table of ["event", "event_floor", "past_loss", "upkeep"]) await removeRows(bulkPool, table);
    await quieten(service.context);
    await removeRows(bulkPool, "webhook_endpoint");
    await query("DROP TABLE IF EXISTS reading");
  });
}
