import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Caller } from "../../../src/accounts/keys/caller.ts";
import { readUsage } from "../../../src/accounts/usage/usage.ts";
import type { RawFilters } from "../../../src/feeds/records/filters.ts";
import type { Context } from "../../../src/platform/context.ts";
import { callerOf, openAccount } from "../accounts.ts";
import { type SettableClock, settableClock } from "../clock.ts";
import { openTestContext } from "../context.ts";
import { createTestDatabase } from "../database.ts";

/** The feeds module of one process, with its own database and data folder. Its clock shows noon of 2026-11-21. */
export interface FeedsFixture {
  context: Context;
  clock: SettableClock;
  /** Another process on the same database and data folder. */
  openAnother(): Promise<Context>;
  /** A caller of a new account. */
  caller(plan: { feeds: Record<string, string[] | null>; rowsPerMonth?: number }): Promise<Caller>;
  close(): Promise<void>;
}

export async function openFeedsFixture(): Promise<FeedsFixture> {
  const database = await createTestDatabase();
  const dataDir = await mkdtemp(path.join(tmpdir(), "tdf-feeds-"));
  const clock = settableClock("2026-11-21T12:00:00Z");
  const opened: Context[] = [];
  const openAnother = async (): Promise<Context> => {
    const plain = await openTestContext(database.url, clock);
    const context = { ...plain, config: { ...plain.config, dataDir } };
    opened.push(context);
    return context;
  };
  const context = await openAnother();
  return {
    context,
    clock,
    openAnother,
    caller: async (plan) => callerOf(context, (await openAccount(context, plan)).key),
    close: async () => {
      await Promise.all(opened.map((each) => each.db.close()));
      await database.drop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** Filters as the API passes them on: `filters({ state: "TX" })`, a list for a repeated parameter. */
export const filters = (sent: Record<string, string | string[]> = {}): RawFilters =>
  new Map(Object.entries(sent).map(([name, value]) => [name, Array.isArray(value) ? value : [value]]));

/** The rows that the caller has used this month: as JSON, as CSV, and of the quota. */
export async function rowsUsed(
  context: Context,
  caller: Caller,
): Promise<{ api: number; export: number; quota: number }> {
  const { usage } = await readUsage(context, caller);
  return { api: usage.api_rows, export: usage.export_rows, quota: usage.quota_rows };
}
