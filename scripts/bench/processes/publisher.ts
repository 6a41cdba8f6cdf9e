// Publishes every feed as the import of the second day did, in a transaction that it rolls back: with the change feed or
// without it. Answers the seconds.
import type pg from "pg";
import { publishFeeds } from "../../../src/feeds/publish/publish.ts";
import { setMergeMemory } from "../../../src/importer/statements.ts";
import { configFrom } from "../../../src/platform/config/config.ts";
import type { Context } from "../../../src/platform/context.ts";
import { openContext } from "../../../src/platform/open-context.ts";
import { readSourceDays } from "../../../src/registry/sources.ts";
import { answerJobs } from "./jobs.ts";

export interface PublishJob {
  environment: NodeJS.ProcessEnv;
  isWithChanges: boolean;
}

/** Lets every feed be published in place of its first version again. */
const GO_BACK = `
  UPDATE feed_current SET version_id = (
    SELECT max(id) FROM feed_version AS earlier
    WHERE earlier.feed_code = feed_current.feed_code AND earlier.replaced_at IS NOT NULL)`;

answerJobs<PublishJob>(async ({ environment, isWithChanges }) => {
  const opened = await openContext(configFrom({ ...environment, LOG_LEVEL: "warn" }));
  const context: Context = opened.context;
  const client = await context.db.bulkPool.connect();
  try {
    await client.query("BEGIN");
    await setMergeMemory.run(client);
    await client.query(GO_BACK);
    const sourceDays = await readSourceDays(client);
    const { publisher, requireAllOmitted } = withoutChanges(client);
    const startedAt = performance.now();
    const published = await publishFeeds(isWithChanges ? client : publisher, {
      sourceDays,
      now: context.clock.now(),
      sharedContactLimit: context.config.sharedContactLimit,
      hasRegistryChanged: true,
    });
    const seconds = (performance.now() - startedAt) / 1000;
    if (!published.some(({ changes }) => changes && changes.changedRows > 0))
      throw new Error("No feed has changes.");
    if (!isWithChanges) requireAllOmitted();
    return seconds;
  } finally {
    await client.query("ROLLBACK");
    client.release();
    await opened.close();
  }
});

/** Statements of the change feed, by a part of their text, with the rows that the program gets instead. */
const OMITTED: readonly (readonly [part: string, rows: object[]])[] = [
  ["INSERT INTO feed_step ", [{ id: 0 }]],
  ["INSERT INTO feed_change ", []],
  [") AS by_state", [{ states: "{}" }]],
  // The packed halves of the hashes.
  ["AS digest_high", []],
  // Without the rules of the version before, the versions are compared by their JSON and not by these hashes.
  ["SELECT rules FROM feed_step ", []],
];

/** The hash of each record, which its version's build computes. */
const HASH = /\('x' \|\| encode\(.* AS record_hash/;

/** The client without these. The comparison of the versions stays: the report of the import has always had it. */
function withoutChanges(client: pg.ClientBase) {
  const met = new Set<string>();
  const query = (config: { text: string }) => {
    const [part, rows] = OMITTED.find(([each]) => config.text.includes(each)) ?? [];
    if (part !== undefined && rows) {
      met.add(part);
      return Promise.resolve({ rows, rowCount: rows.length });
    }
    const text = config.text.replace(HASH, "0::bigint AS record_hash");
    if (text !== config.text) met.add("hash");
    return client.query({ ...config, text });
  };
  return {
    publisher: { query } as unknown as pg.ClientBase,
    requireAllOmitted: () => {
      if (met.size <= OMITTED.length)
        throw new Error(`Publishing has other statements now. Left out were only: ${[...met].join("; ")}`);
    },
  };
}
