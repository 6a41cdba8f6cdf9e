import type { Clock } from "./clock.ts";
import type { Config } from "./config/config.ts";
import type { Database } from "./database/db.ts";
import type { Log } from "./log.ts";
import type { Metrics } from "./metrics.ts";
import type { Secrets } from "./secrets.ts";

/** What comes from outside the program. A process makes it once; a test replaces the parts it needs. */
export interface Context<Db extends Database = Database> {
  config: Config;
  clock: Clock;
  log: Log;
  db: Db;
  metrics: Metrics;
  secrets: Secrets;
}

/**
 * The context of an entry point (src/api, src/mcp, src/pages, src/cli), which passes it on to the modules below. Code that uses
 * its `db` does not compile.
 */
export type EntryContext = Context<never>;

/** The context as entry points get it. */
export const entryContextOf = (context: Context): EntryContext => context as EntryContext;
