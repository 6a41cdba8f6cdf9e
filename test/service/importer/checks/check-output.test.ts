import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { outputComplaints } from "../../../../src/importer/checks/check-output.ts";
import type { Context } from "../../../../src/platform/context.ts";
import { settableClock } from "../../../support/clock.ts";
import { openTestContext } from "../../../support/context.ts";
import { createTestDatabase, type TestDatabase } from "../../../support/database.ts";
import { putRows, removeRows } from "../../../support/rows.ts";

let database: TestDatabase;
let context: Context;

beforeAll(async () => {
  database = await createTestDatabase();
  context = await openTestContext(database.url, settableClock("2026-11-20T12:00:00Z"));
});
afterAll(async () => {
  await context.db.close();
  await database.drop();
});

interface Run {
  asOf: string;
  events: number;
}

/** The names of the failed checks of so many events after these imports. */
async function complaintsAfter(runs: readonly Run[], events: number, asOf = "2026-11-20"): Promise<string[]> {
  return context.db.bulkTransaction(async (client) => {
    await removeRows(client, "import_run");
    for (const run of runs) {
      await putRows(client, "import_run", {
        status: "published",
        folder: "/x",
        started_at: new Date(),
        as_of: run.asOf,
        report: JSON.stringify({ events: { reinstated: run.events } }),
      });
    }
    const complaints = await outputComplaints(client, {
      feeds: [],
      contradictions: { shared: 100, contradicting: 0 },
      events: { reinstated: events },
      asOf,
      before: runs.at(-1)?.asOf ?? null,
    });
    return complaints.map(([name]) => name);
  });
}

const WEEK: readonly Run[] = ["13", "14", "15", "16", "17", "18", "19"].map((day) => ({
  asOf: `2026-11-${day}`,
  events: 60,
}));

describe("more events than usual", () => {
  it("are refused above five times the median day and 200", async () => {
    expect(await complaintsAfter(WEEK, 300)).toEqual([]);
    expect(await complaintsAfter(WEEK, 301)).toEqual(["event-surge"]);
    const quiet = WEEK.map((run) => ({ ...run, events: 10 }));
    expect(await complaintsAfter(quiet, 200)).toEqual([]);
    expect(await complaintsAfter(quiet, 201)).toEqual(["event-surge"]);
  });

  it("are accepted after days without an import, and while the usual number is unknown", async () => {
    expect(await complaintsAfter(WEEK, 1_200, "2026-11-23")).toEqual([]);
    expect(await complaintsAfter(WEEK, 1_201, "2026-11-23")).toEqual(["event-surge"]);
    expect(await complaintsAfter(WEEK.slice(0, 2), 5_000)).toEqual([]);
    expect(await complaintsAfter([], 5_000)).toEqual([]);
  });
});
