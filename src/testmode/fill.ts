import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { applyPlans } from "../accounts/plans/plans.ts";
import { updateSharedValues } from "../carriers/connections/shared-values.ts";
import { FEEDS } from "../feeds/catalogue.ts";
import { updateNames } from "../feeds/names/names.ts";
import { requestRemovalFromFeeds } from "../feeds/versions/feeds-list.ts";
import { importFolder } from "../importer/import.ts";
import { hasPublished } from "../importer/runs.ts";
import type { Context } from "../platform/context.ts";
import { hasNoRight } from "../platform/database/database-error.ts";
import { withSessionLock } from "../platform/database/session-lock.ts";
import type { Queryable } from "../platform/database/statement.ts";
import {
  demoFirstDay,
  demoFirstDayIn,
  fixtureIn,
  markFixture,
} from "../platform/installation/installation.ts";
import { VERSION } from "../platform/version.ts";
import { STATE_CODES } from "../registry/places/state-codes.ts";
import { FIXTURE_DAYS, fixtureCarriers, fixtureText } from "./fixture/fixture.ts";
import { writeFixtureDay } from "./fixture/registry-files.ts";

const PLAN_FILE = fileURLToPath(new URL("plan.yaml", import.meta.url));
const PLAN_WORDS = { feedCodes: FEEDS.map((feed) => feed.code), regions: STATE_CODES };

/** The key of the advisory lock of the process that fills the database. */
const FILL_LOCK = 73_100_011;

/** The fixture registry and its plans as this release has them: another release may read the same files otherwise. */
function fixtureName(): string {
  const content = createHash("sha256").update(fixtureText()).update(readFileSync(PLAN_FILE));
  return `${VERSION} ${content.digest("hex").slice(0, 16)}`;
}

/**
 * Fills the database of test mode with its plan and the fixture registry, and again when this release has another one. Keys,
 * endpoints and watchlists stay then; feeds and events begin anew. Other processes wait meanwhile.
 */
export async function fillTestMode(test: Context): Promise<void> {
  const name = fixtureName();
  if ((await fixtureIn(test.db.pool)) === name) return;
  await withSessionLock(test.db, FILL_LOCK, async () => {
    const before = await fixtureIn(test.db.pool);
    if (before === name) return;
    await applyPlans(test, PLAN_FILE, PLAN_WORDS);
    const folder = await mkdtemp(path.join(tmpdir(), "tdf-fixture-"));
    try {
      await importFixture(test, folder, before === null);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
    await updateNames(test);
    await updateSharedValues(test);
    await markFixture(test, name);
  });
}

/**
 * Whether a database has a registry, of another installation, say, whose place the fixture would take. It may be of an older
 * release. A fill that was killed has left the fixture's first day.
 */
export async function hasOtherRegistry(client: Queryable): Promise<boolean> {
  try {
    if ((await fixtureIn(client)) !== null || (await demoFirstDayIn(client)) === FIXTURE_DAYS[0])
      return false;
    return await hasPublished(client);
  } catch (error) {
    // Whoever opens it says which rights the role needs.
    if (hasNoRight(error)) return false;
    throw error;
  }
}

/** Nothing of the fixture is unexpected, and its checks are those of its test. */
const ACCEPTED = Object.assign(new Set<string>(), { has: () => true });

/**
 * Imports the days one after the other, as an operator imports those of the registry, so that events and changes come about.
 * The fixture is marked as a demo: the import of another release may replace it, and that after a fill which was killed.
 */
async function importFixture(test: Context, folder: string, isFirst: boolean): Promise<void> {
  const [firstDay] = FIXTURE_DAYS;
  for (const day of FIXTURE_DAYS) {
    const dir = path.join(folder, day);
    await writeFixtureDay(dir, day);
    const replaces = day === firstDay && (await demoFirstDay(test)) !== null;
    await importFolder(test, {
      dir,
      asOf: day,
      accept: ACCEPTED,
      ...(replaces ? { replaceDemo: true } : { demoFirstDay: firstDay }),
    });
    if (isFirst && day === firstDay) await removeBusinesses(test);
  }
}

/** Puts the fixture's removed businesses on the list as a request of theirs would; those of test keys change nothing. */
async function removeBusinesses({ live: _, ...world }: Context): Promise<void> {
  for (const { usdot, removed } of fixtureCarriers())
    if (removed) await requestRemovalFromFeeds(world, "127.0.0.1", { usdot: String(usdot) });
}
