import { randomUUID } from "node:crypto";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Clock } from "../../src/platform/clock.ts";
import { configFrom } from "../../src/platform/config/config.ts";
import type { Context } from "../../src/platform/context.ts";
import { openDatabase } from "../../src/platform/database/db.ts";
import { createLog } from "../../src/platform/log.ts";
import { createMetrics } from "../../src/platform/metrics.ts";
import { TEST_SECRETS } from "./secrets.ts";

/** A context of one process over an existing database. The caller closes its `db`. */
export async function openTestContext(url: string, clock: Clock): Promise<Context> {
  const log = createLog("silent");
  const db = await openDatabase({ url, log, poolSizes: { requests: 8, bulk: 2 } });
  return {
    // Copies of a test database have one installation, so contexts must not share its files.
    config: configFrom({ DATABASE_URL: url, DATA_DIR: path.join(tmpdir(), `tdf-context-${randomUUID()}`) }),
    clock,
    log,
    db,
    metrics: createMetrics(),
    secrets: TEST_SECRETS,
  };
}
