import { secretsKeysOf } from "../config/secrets-key.ts";
import { type Config, type Context, type EntryContext, entryContextOf } from "../context.ts";
import { type RunningClock, startDatabaseClock } from "../database/database-clock.ts";
import { openDatabase } from "../database/db.ts";
import { MIGRATIONS, migrate, requireMigrated } from "../database/migrate.ts";
import { startEmbeddedPostgres } from "../embedded/start.ts";
import { createLog } from "../log.ts";
import { createMetrics } from "../metrics.ts";
import { secretsUnder } from "../secrets.ts";
import { startTracing } from "../tracing/tracing.ts";
import { requireOneDatabase } from "./addresses.ts";

export interface OpenContext {
  context: EntryContext;
  /** Closes everything in the order of dependency; an embedded PostgreSQL last. */
  close(): Promise<void>;
}

export interface OpenOptions {
  /** How long to wait for a database that does not answer; by default 30 s, for services that start together. */
  databaseWaitMs?: number;
  /** It ends with an error that says when the database was lost, so the log need not. */
  isCommand?: boolean;
  /** For a restore, which makes the tables itself: applies no migration, and gives its connections a name of their own. */
  connectionsNamed?: string;
  /** For a backup, which the program that the database is of must be able to restore: refuses while a migration is due. */
  requiresMigrated?: boolean;
}

/** For a command at a terminal: a database that does not answer is reported within 5 s. */
export const SHORT_WAIT: OpenOptions = { databaseWaitMs: 3_500 };

/** Opens the database of DATABASE_URL or the embedded one, applies pending migrations unless told not to, and creates the context. */
export async function openContext(
  config: Config,
  overrides: Partial<Context> = {},
  { databaseWaitMs, isCommand = false, connectionsNamed, requiresMigrated = false }: OpenOptions = {},
): Promise<OpenContext> {
  const log = overrides.log ?? createLog(config.logLevel);
  const metrics = createMetrics();
  const stopTracing = await startTracing(config, log);
  const embedded =
    config.databaseUrl === null ? await startEmbeddedPostgres({ dataDir: config.dataDir, log }) : null;
  const address = config.databaseUrl ?? embedded?.url ?? "";
  const isRestore = connectionsNamed !== undefined;
  // A restore sees every session, which a pooler would hide, and reads no standby.
  const url = isRestore ? (config.databaseDirectUrl ?? address) : address;
  const directUrl = isRestore ? null : config.databaseDirectUrl;
  const readUrl = isRestore ? null : config.databaseReadUrl;
  try {
    const waits = { log, connectTimeoutMs: databaseWaitMs };
    await requireOneDatabase(config, waits);
    if (!isRestore) {
      const setting = directUrl === null ? undefined : "DATABASE_DIRECT_URL";
      const bringUpToDate = requiresMigrated ? requireMigrated : migrate;
      await bringUpToDate(directUrl ?? url, { folder: MIGRATIONS, setting, ...waits });
    }
    const db = await openDatabase({
      url,
      directUrl,
      readUrl,
      connectionsNamed,
      namesStatements: config.namesStatements,
      metrics,
      logsLostConnections: !isCommand,
      ...waits,
    });
    const { clock, stop } = await clockOf(overrides, () => startDatabaseClock({ db, log, metrics })).catch(
      async (error) => {
        await db.close();
        throw error;
      },
    );
    const secrets = secretsUnder(await secretsKeysOf(config));
    const context: Context = { config, clock, log, db, metrics, secrets, ...overrides };
    return {
      context: entryContextOf(context),
      close: async () => {
        stop();
        await db.close();
        await embedded?.stop();
        await stopTracing();
      },
    };
  } catch (error) {
    await embedded?.stop();
    await stopTracing();
    throw error;
  }
}

/** A clock that a test passes is used as it is. */
const clockOf = async (
  { clock }: Partial<Context>,
  start: () => Promise<RunningClock>,
): Promise<RunningClock> => (clock ? { clock, stop: () => {} } : start());
