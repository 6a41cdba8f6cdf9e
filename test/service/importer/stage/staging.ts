import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stageFolder } from "../../../../src/importer/stage/stage.ts";
import { type StagedSet, stagedRows } from "../../../../src/importer/stage/staged-set.ts";
import type { Context } from "../../../../src/platform/context.ts";
import { type Dataset, isDifferenceOf } from "../../../../src/registry/datasets.ts";
import { mergeDataset, openTouchedDockets } from "../../../../src/registry/merge/merge.ts";
import { recordNewestRows, recordSource } from "../../../../src/registry/sources.ts";
import { settableClock } from "../../../support/clock.ts";
import { openTestContext } from "../../../support/context.ts";
import { createTestDatabase } from "../../../support/database.ts";

export const TODAY = "2026-10-01";

export interface Staging {
  context: Context;
  /** Reads a folder of these files, for TODAY. */
  stage(files: Files, options?: { isDifference?: boolean }): Promise<StagedSet>;
  /** A folder of these files. */
  folder(files: Files): Promise<string>;
  /** A dataset's staged rows in the file's order, row_id left out. */
  rows(dataset: Dataset): Promise<Record<string, unknown>[]>;
  /** Makes the staged rows the last good import, on TODAY unless another day is given. */
  publish(staged: StagedSet, today?: string): Promise<void>;
  /** A hash of everything but the staging tables. */
  fingerprint(): Promise<string>;
  close(): Promise<void>;
}

export type Files = Record<string, string | Buffer>;

export async function openStaging(): Promise<Staging> {
  const database = await createTestDatabase();
  const context = await openTestContext(database.url, settableClock(`${TODAY}T12:00:00Z`));
  const { bulkPool, pool } = context.db;
  const folders: string[] = [];
  let printing: { name: string; text: string; rowMode: "array" } | null = null;

  const folder = async (files: Files) => {
    const dir = await mkdtemp(join(tmpdir(), "staging-"));
    folders.push(dir);
    for (const [name, content] of Object.entries(files)) await writeFile(join(dir, name), content);
    return dir;
  };

  return {
    context,
    folder,
    stage: async (files, options = {}) =>
      stageFolder(context, { dir: await folder(files), today: TODAY, ...options }),
    rows: async (dataset) => {
      const { rows } = await pool.query(
        `SELECT to_jsonb(t) - 'row_id' AS row FROM staging.${dataset} AS t ORDER BY t.ctid`,
      );
      return rows.map(({ row }) => row);
    },
    publish: async (staged, today = TODAY) => {
      const client = await bulkPool.connect();
      await client.query("BEGIN");
      await openTouchedDockets(client);
      for (const [dataset, profile] of staged.profiles) {
        if (!staged.unchanged.has(dataset)) await mergeDataset(client, stagedRows(staged, dataset));
        if (isDifferenceOf(staged, dataset)) continue;
        const { rows, newestRowOn } = profile;
        await recordSource(client, {
          dataset,
          rows,
          newestRowOn,
          profile,
          importedAt: context.clock.now(),
          today,
        });
      }
      await recordNewestRows(client, today, new Set(staged.profiles.keys()));
      await client.query("COMMIT");
      client.release();
    },
    fingerprint: async () => {
      if (printing === null) {
        const { rows: tables } = await pool.query<{ name: string }>(
          "SELECT table_name AS name FROM information_schema.tables WHERE table_schema IN ('public', 'published') ORDER BY 1",
        );
        const parts = tables.map(
          ({ name }) => `SELECT count(*), md5(string_agg(t::text, ',' ORDER BY t::text)) FROM ${name} AS t`,
        );
        // With a name it is planned once, which takes as long as to read the tables.
        printing = { name: "fingerprint", text: parts.join(" UNION ALL "), rowMode: "array" };
      }
      const { rows: prints } = await pool.query(printing);
      return JSON.stringify(prints);
    },
    close: async () => {
      await context.db.close();
      await database.drop();
      for (const dir of folders) await rm(dir, { recursive: true });
    },
  };
}
