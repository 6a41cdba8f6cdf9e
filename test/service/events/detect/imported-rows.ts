import type pg from "pg";
import { afterAll, afterEach, beforeAll, beforeEach } from "vitest";
import { detectEvents, writeEvents } from "../../../../src/events/detect/detect.ts";
import type { Context } from "../../../../src/platform/context.ts";
import { updateRegistry } from "../../../../src/registry/authorities/update-registry.ts";
import { openTouchedDockets } from "../../../../src/registry/merge/merge.ts";
import { settableClock } from "../../../support/clock.ts";
import { openTestContext } from "../../../support/context.ts";
import { emptierOf } from "../../../support/database/emptied-database.ts";
import { createTestDatabase, type TestDatabase } from "../../../support/database.ts";
import {
  deleteHistory,
  knownHistory,
  type RegistryRows as Rows,
  touchEveryDocket,
} from "../../../support/registry/derived-registry.ts";
import { putRegistryRow, type RegistryRow as Row } from "../../../support/registry/registry-rows.ts";
import { changeRows } from "../../../support/rows.ts";

let database: TestDatabase;
export let context: Context;
let lastAsOf: string | null;
let empty: () => Promise<void>;

/** Runs an import with these new rows, from the merge on; returns the events that it wrote. */
export async function importRows(
  asOf: string,
  rows: Rows,
  change: (client: pg.ClientBase) => Promise<unknown> = async () => {},
) {
  context.clock.now = () => new Date(`${asOf}T15:00:00Z`);
  return context.db.bulkTransaction(async (client) => {
    const { rows: last } = await client.query<{ id: number }>("SELECT coalesce(max(id), 0) AS id FROM event");
    await openTouchedDockets(client);
    const noteNewHistory = await knownHistory(client);
    for (const [table, row] of rows) await putRegistryRow(client, table, row);
    await change(client);
    await noteNewHistory();
    await touchEveryDocket(client);
    await updateRegistry(client, { asOf, previousAsOf: lastAsOf });
    const isKnown = lastAsOf !== null;
    await detectEvents(client, {
      asOf,
      now: context.clock.now(),
      states: ["TX", "OH"],
      previous: { asOf: lastAsOf, history: isKnown, notices: isKnown, statuses: isKnown, companies: isKnown },
    });
    await writeEvents(client, { asOf, now: context.clock.now() });
    lastAsOf = asOf;
    const { rows: events } = await client.query("SELECT * FROM event WHERE id > $1 ORDER BY id", [
      last[0]?.id,
    ]);
    return events;
  });
}

export const setStatus =
  (status: string, docket = "MC100001") =>
  (client: pg.ClientBase) =>
    changeRows(client, "motus_carrier", { status }, { docket });

export const eventOf = async (type: string) =>
  (await context.db.pool.query("SELECT * FROM event WHERE type = $1", [type])).rows;
export const corrections = async () =>
  (await context.db.pool.query("SELECT event_id, kind, is_rollback FROM event_correction ORDER BY id")).rows;

export const statusesOf = (events: Awaited<ReturnType<typeof importRows>>) =>
  events.map(({ type, data }) => [type, data.status_before, data.status_after]);

export const COMPANY: Rows = [
  ["census", { usdot: 1001 }],
  ["motus_carrier", {}],
];
export const history = (row: Row): Rows => [["motus_authhist", row]];
export const INSURANCE =
  "Involuntary Suspension - insurance cancellation effective; no active insurance on file";

/** A change: this row is in the place of the rows of the history with this reason. */
export const replace = (reason: string, row: Row) => async (client: pg.ClientBase) => {
  await deleteHistory(client, reason);
  await putRegistryRow(client, "motus_authhist", row);
};

/** A database of one test file, which is empty before each of its tests. */
export function useEmptyDatabase(): void {
  beforeAll(async () => {
    database = await createTestDatabase();
    context = await openTestContext(database.url, settableClock("2026-11-20T12:00:00Z"));
    empty = await emptierOf(context.db);
  });
  beforeEach(() => {
    lastAsOf = null;
  });
  afterEach(() => empty());
  afterAll(async () => {
    await context.db.close();
    await database.drop();
  });
}
