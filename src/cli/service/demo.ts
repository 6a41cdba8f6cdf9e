import { rm } from "node:fs/promises";
import path from "node:path";
import { type AccountShown, createAccount, listAccounts } from "../../accounts/accounts.ts";
import { importFolder } from "../../importer/import.ts";
import { listRuns } from "../../importer/runs.ts";
import { addDays, dayNumber, dayOf } from "../../platform/clock.ts";
import type { EntryContext } from "../../platform/context.ts";
import { demoFirstDay } from "../../platform/installation/installation.ts";
import { generateRegistry } from "../registry/made-up-registry.ts";

/** Enough companies for rows in every feed, few enough to import within seconds. */
const DEMO_CARRIERS = 3_000;
const DEMO_SEED = 1;
/** How many days a new demo has, and the most that a later start adds. */
const DEMO_DAYS = 4;

/** Whether the database may hold the demo: it has no import, or it already holds the demo. */
export async function canHoldDemo(context: EntryContext): Promise<boolean> {
  if ((await demoFirstDay(context)) !== null) return true;
  return (await listRuns(context, 1)).length === 0;
}

/**
 * Imports the demo registry's days up to today: the last few into an empty database, later the missing ones. The files
 * of the days are generated, imported and deleted again.
 */
export async function bringDemoUpToToday(context: EntryContext, say: (line: string) => void): Promise<void> {
  const today = dayOf(context.clock.now());
  const firstDay = (await demoFirstDay(context)) ?? addDays(today, 1 - DEMO_DAYS);
  const last =
    (await listRuns(context, 20)).find((run) => run.status === "published")?.report?.demoDay ?? null;
  const oldest = addDays(today, 1 - DEMO_DAYS);
  const next = last === null ? firstDay : addDays(last, 1);
  const from = next < oldest && last !== null ? oldest : next;
  if (from > today) return;
  const outDir = path.join(context.config.dataDir, "demo");
  try {
    const fromDay = dayNumber(from) - dayNumber(firstDay);
    const days = dayNumber(today) - dayNumber(firstDay) + 1;
    say(`Making a demo registry of ${DEMO_CARRIERS} companies up to ${today} …`);
    const options = { outDir, carriers: DEMO_CARRIERS, seed: DEMO_SEED, firstDay, days, fromDay };
    for (const { date, dir } of await generateRegistry(options)) {
      await importFolder(context, { dir, asOf: date, accept: new Set(), demoFirstDay: firstDay });
      say(`Imported the demo registry of ${date}.`);
    }
  } finally {
    await rm(outDir, { recursive: true, force: true });
  }
}

const DEMO_ACCOUNT = { name: "Demo", email: "demo@example.com", planCode: "national" };

/** Returns the demo's account; opens one if there is none, or it was closed. */
export async function demoAccount(context: EntryContext): Promise<AccountShown> {
  const known = (await listAccounts(context)).find(
    ({ email, closed_at }) => email === DEMO_ACCOUNT.email && closed_at === null,
  );
  return known ?? createAccount(context, DEMO_ACCOUNT);
}
