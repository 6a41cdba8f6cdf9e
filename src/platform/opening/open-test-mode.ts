import * as sql from "../../generated/sql/platform/database.ts";
import type { Context } from "../context.ts";
import { createDatabaseIfMissing } from "../database/create-database.ts";
import { hasNoRight } from "../database/database-error.ts";
import { openDatabase } from "../database/db.ts";
import { MIGRATIONS, migrate } from "../database/migrate.ts";
import { isOfThisProgram, isSameDatabase, type Waits } from "../database/same-database.ts";
import type { Queryable } from "../database/statement.ts";
import { createMetrics } from "../metrics.ts";
import { OperatorError } from "../operator-error.ts";

const SETTING = "TEST_MODE_DATABASE_URL";
/** Test keys are few, and live requests need the server more. */
const POOL_SIZES = { requests: 6, bulk: 4 };
const CONNECT_TIMEOUT_MS = 3_000;
/** The same in every installation, because the fixture registry has shared contacts. */
export const TEST_MODE_SHARED_CONTACT_LIMIT = 2;
/** They change nothing here, so that programs may try them as often as they like. */
const OPT_OUT_PER_MINUTE = 60;

/**
 * Opens the database of test mode, which is created and migrated first where needed, as a context beside the live one.
 * The caller closes its `db`. OperatorError when it can't be created or migrated, is the live one, or `hasOtherRegistry`.
 */
export async function openTestMode(
  live: Context,
  hasOtherRegistry: (client: Queryable) => Promise<boolean>,
): Promise<Context> {
  const { config, log } = live;
  const url = testModeUrl(live);
  const waits = { log, connectTimeoutMs: CONNECT_TIMEOUT_MS };
  // The setting names a database that the operator made.
  if (config.testModeDatabaseUrl === null) await createBeside(live, url);
  else await requireOther(live, url, waits);
  await requireOwnRegistry(url, hasOtherRegistry, waits);
  await migrate(url, { folder: MIGRATIONS, setting: SETTING, ...waits });
  const { namesStatements } = config;
  const db = await openDatabase({ url, namesStatements, poolSizes: POOL_SIZES, keptOpen: 0, ...waits });
  return {
    ...live,
    config: {
      ...config,
      databaseUrl: url,
      databaseDirectUrl: null,
      databaseReadUrl: null,
      sharedContactLimit: TEST_MODE_SHARED_CONTACT_LIMIT,
      optOutPerMinute: OPT_OUT_PER_MINUTE,
    },
    db,
    // What happens in test mode is no news for the operator.
    metrics: createMetrics(),
    live,
  };
}

/** The address of the database of test mode. */
function testModeUrl({ config, db }: Pick<Context, "config" | "db">): string {
  if (config.testModeDatabaseUrl !== null) return config.testModeDatabaseUrl;
  const url = new URL(db.url);
  url.pathname += "_test";
  return url.href;
}

/** Where the database of test mode belongs to a role whose rights this one has not: its name, and the role. Null otherwise. */
export async function otherOwnerOfTestMode(
  live: Pick<Context, "config" | "db">,
): Promise<{ name: string; owner: string } | null> {
  if (live.config.testModeDatabaseUrl !== null) return null;
  const name = databaseName(testModeUrl(live));
  const row = await sql.ownerOfDatabase(live.db.bulkPool, { name });
  return row === undefined || row.isOurs ? null : { name, owner: row.owner };
}

/** A plan and a made-up registry are written there. */
async function requireOther({ db }: Context, url: string, waits: Waits): Promise<void> {
  const live = { setting: "DATABASE_URL", url: db.url };
  if (!(await isSameDatabase({ setting: SETTING, url }, live, waits))) return;
  throw new OperatorError(
    `${SETTING} is the database of DATABASE_URL: name another one, for test mode alone. Nothing was changed.`,
  );
}

/** Asked before a migration: the database of another installation, say, is left to its own program. */
async function requireOwnRegistry(
  url: string,
  hasOtherRegistry: (client: Queryable) => Promise<boolean>,
  waits: Waits,
): Promise<void> {
  if (!(await isOfThisProgram({ setting: SETTING, url }, waits, hasOtherRegistry))) return;
  throw new OperatorError(
    `The database ${databaseName(url)} has a registry, which test mode would replace: name another one for test mode alone in ${SETTING}.`,
  );
}

const databaseName = (url: string): string => decodeURIComponent(new URL(url).pathname.slice(1));

async function createBeside({ db }: Context, url: string): Promise<void> {
  const name = databaseName(url);
  try {
    await createDatabaseIfMissing(db.url, name);
  } catch (error) {
    if (!hasNoRight(error)) throw error;
    throw new OperatorError(
      `Test mode needs a database of its own, and this role of PostgreSQL may not create it. Create an empty database "${name}" ` +
        `that belongs to the role, or name another one in ${SETTING}; then make the test key again.`,
      { cause: error },
    );
  }
}
