// Upkeep: who clears, and what metrics are told.
import { describe, expect, it } from "vitest";
import { DAY_MS, HOUR_MS } from "../../../src/platform/clock.ts";
import { KEPT_TABLES, type KeptTable } from "../../../src/retention/kept-tables.ts";
import { watchTables } from "../../../src/retention/table-metrics.ts";
import { keepTables, startUpkeep } from "../../../src/retention/upkeep.ts";
import { putRows } from "../../support/rows.ts";
import { keep, put, query, service, useKeptService } from "./kept-service.ts";

useKeptService();

describe("upkeep", () => {
  const reading = (by: KeptTable["by"]): KeptTable => ({
    table: "reading",
    time: "taken_at",
    keeps: "mails",
    by,
  });
  const keepReading = (by: KeptTable["by"]) => keepTables(service.context, { tables: [reading(by)] });

  it("clears each table once an hour, whichever process is first", async () => {
    const both = await Promise.all([keep(), keep()]);
    expect(both.flat().toSorted()).toEqual(KEPT_TABLES.map(({ table }) => table).toSorted());
    service.clock.advance(HOUR_MS - 1);
    expect(await keep()).toEqual([]);
    service.clock.advance(1);
    expect(await keep()).toHaveLength(KEPT_TABLES.length);
    // A clock that was set back delays nothing.
    service.clock.advance(-30 * DAY_MS);
    expect(await keep()).toHaveLength(KEPT_TABLES.length);
  });

  it("takes over from a process that died, after ten minutes", async () => {
    const leaseUntil = new Date(service.clock.now().getTime() + 10 * 60_000);
    await putRows(service.context.db.bulkPool, "upkeep", { table_name: "event", lease_until: leaseUntil });
    expect(await keep("event")).toEqual([]);
    service.clock.advance(10 * 60_000);
    expect(await keep("event")).toEqual(["event"]);
  });

  it("deletes in steps, and stops between two", async () => {
    await query(
      `CREATE TABLE reading AS SELECT $1::timestamptz - n * interval '1 day' AS taken_at FROM generate_series(1, 12000) AS n`,
      [service.clock.now()],
    );
    let asked = 0;
    const isStopping = () => asked++ > 1;
    expect(await keepTables(service.context, { tables: [reading("rows")], isStopping })).toEqual([]);
    expect(await query("SELECT count(*)::int AS rows FROM reading")).toEqual([{ rows: 2_000 }]);
    expect(await keepReading("rows")).toEqual(["reading"]);
    expect(await query("SELECT count(*)::int AS rows FROM reading")).toEqual([{ rows: 90 }]);
  });

  it("drops months of a partitioned table, and makes the next ones", async () => {
    await query(
      "CREATE TABLE reading (taken_at timestamptz) PARTITION BY RANGE (taken_at); SELECT make_partitions('reading', '2026-07-01')",
    );
    await query("INSERT INTO reading VALUES ('2026-07-31'), ('2026-08-31'), ('2026-09-01'), ('2026-12-01')");
    expect(await keepReading("months")).toEqual(["reading"]);
    // Ninety days before are 23 August.
    expect(await query("SELECT tableoid::regclass::text AS month FROM reading ORDER BY taken_at")).toEqual(
      ["2026_08", "2026_09", "2026_12"].map((month) => ({ month: `partitions.reading_${month}` })),
    );
    expect(await query("SELECT to_regclass('partitions.reading_2027_01') IS NOT NULL AS made")).toEqual([
      { made: true },
    ]);
    expect(await query("SELECT oldest_at FROM upkeep")).toEqual([
      { oldest_at: new Date("2026-08-31T00:00:00Z") },
    ]);
  });

  it("goes on with the next table when one fails, and tries that one again", async () => {
    const tables = [reading("rows"), ...KEPT_TABLES.filter(({ table }) => table === "usage_day")];
    expect(await keepTables(service.context, { tables })).toEqual(["usage_day"]);
    await query("CREATE TABLE reading (taken_at timestamptz)");
    expect(await keepTables(service.context, { tables })).toEqual(["reading"]);
  });

  it("runs at the start of a service", async () => {
    const stop = startUpkeep(service.context);
    await stop();
    const rows = await query("SELECT FROM upkeep WHERE finished_at IS NOT NULL");
    expect(rows.length).toBeGreaterThan(0);
  });

  it("is told by metrics, with size, rows and the oldest row of each table", async () => {
    watchTables(service.context);
    const [old = 0] = await put("2026-11-19T12:00:00Z");
    await keep("event");
    await query("ANALYZE event");
    service.clock.advance(60_000);
    const metrics = await service.context.metrics.registry.metrics();
    const shown = (name: string, table = "event") =>
      Number(new RegExp(`^${name}\\{table="${table}"\\} (\\S+)$`, "m").exec(metrics)?.[1]);
    expect(old).toBeGreaterThan(0);
    expect(shown("tdf_table_bytes")).toBeGreaterThan(8_000);
    expect(shown("tdf_table_rows")).toBe(1);
    expect(shown("tdf_table_oldest_row_seconds")).toBe(2 * 86_400 + 60);
    expect(shown("tdf_table_upkeep_seconds")).toBe(60);
    expect(shown("tdf_table_bytes", "webhook_result")).toBeGreaterThan(0);
  });
});
