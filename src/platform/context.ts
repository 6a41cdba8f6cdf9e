import type { Clock } from "./clock.ts";
import type { Config } from "./config/config.ts";
import type { Database } from "./database/db.ts";
import type { Log } from "./log.ts";
import type { Metrics } from "./metrics.ts";
import type { Secrets } from "./secrets.ts";

/** All that comes in from outside, made once per process; a test swaps what it needs. */
export interface Context {
  config: Config;
  clock: Clock;
  log: Log;
  db: Database;
  metrics: Metrics;
  secrets: Secrets;
}
