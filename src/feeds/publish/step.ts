// The steps by which a feed's readers went from version to version, and the records that each step changed. The change
// feed (../sync) is read from them.
import type pg from "pg";
import * as sql from "../../generated/sql/feeds/publish.ts";
import { dynamic } from "../../platform/database/statement.ts";
import type { FeedCode } from "../catalogue.ts";
import { versionTable } from "../versions/feed-version.ts";
import { tableColumns } from "../versions/packing.ts";

/** Why readers go to a version: new registry files, other rules of the program, or an operator's rollback. */
export type StepCause = "registry" | "rules" | "rollback";

/** Why a step removes a record, as SQL, and what has to be joined for it. */
interface Removal {
  reason: string;
  join: string;
}

/** A publication removes a record because of the rule that it fails now. */
const BY_RULE: Removal = {
  reason: "removed_record.name",
  join: "LEFT JOIN removed_record ON removed_record.row_position = pos_before",
};
const BY_ROLLBACK: Removal = { reason: "'rolled_back'", join: "" };

export interface Step {
  feed: FeedCode;
  /** The version before, if `version_change` compares the two; null: the versions can't be compared. */
  from: number | null;
  to: number;
  asOf: string;
  publishedAt: Date;
  takenAt: Date;
  /** The SHA-256 of the rules of the version `to`. */
  rules: string;
}

/**
 * Records a publication. Needs the temporary tables of compareVersions when there is a version before; records are
 * named by their ids, so a version without them counts as none. `rulesBefore` are those of the version before, if known, and
 * tell the cause unless it is given.
 */
export async function recordPublication(
  client: pg.ClientBase,
  step: Step,
  { rulesBefore, cause }: { rulesBefore: string | null; cause?: StepCause | undefined },
): Promise<void> {
  const from = step.from !== null && (await hasRecordIds(client, step.from)) ? step.from : null;
  const haveRulesChanged = from !== null && rulesBefore !== null && rulesBefore !== step.rules;
  const id = await insertStep(client, { ...step, from }, cause ?? (haveRulesChanged ? "rules" : "registry"));
  if (from !== null) await insertChanges(client, { ...step, id, from }, BY_RULE);
}

/** Records a rollback. Needs the temporary table of openVersionChanges. */
export async function recordRollback(client: pg.ClientBase, step: Step): Promise<void> {
  const areComparable = step.from !== null && (await hasRecordIds(client, step.from));
  const from = areComparable && (await hasRecordIds(client, step.to)) ? step.from : null;
  const id = await insertStep(client, { ...step, from }, "rollback");
  if (from !== null) await insertChanges(client, { ...step, id, from }, BY_ROLLBACK);
}

const hasRecordIds = async (client: pg.ClientBase, version: number): Promise<boolean> =>
  (await tableColumns(client, version)).has("record_id");

/** The SHA-256 of the rules by which a version was made; null for one of a program that did not record them. */
export async function rulesOfVersion(client: pg.ClientBase, version: number): Promise<string | null> {
  const row = await sql.rulesOfVersion(client, { version });
  return row?.rules ?? null;
}

async function insertStep(client: pg.ClientBase, step: Step, cause: StepCause): Promise<number> {
  const { feed, from, to, asOf, publishedAt, takenAt, rules } = step;
  const states = (await hasRecordIds(client, to)) ? await countsByState(client, step) : "{}";
  const { id } = await sql.insertStep(client, {
    feed,
    fromVersion: from,
    toVersion: to,
    asOf,
    publishedAt,
    takenAt,
    cause,
    rules,
    states,
  });
  return id;
}

/** The column `states` of a step as JSON. A changed record counts in the state that it has now. */
async function countsByState(client: pg.ClientBase, { from, to }: Step): Promise<string> {
  const changes = `
      UNION ALL
      SELECT coalesce(now.state, CASE WHEN pos_now IS NULL THEN before.state END, ''), 0, 0,
        (pos_before IS NULL)::integer, (pos_before IS NOT NULL AND pos_now IS NOT NULL)::integer, (pos_now IS NULL)::integer
      FROM version_change
      LEFT JOIN ${versionTable(from ?? to)} AS before ON before.pos = pos_before
      LEFT JOIN ${versionTable(to)} AS now ON now.pos = pos_now`;
  const { rows } = await dynamic(
    client,
    `SELECT coalesce(jsonb_object_agg(state, counts), '{}')::text AS states
     FROM (
       SELECT state, jsonb_build_object('rows', sum(rows), 'digest', sum(digest)::text,
         'added', sum(added), 'changed', sum(changed), 'removed', sum(removed)) AS counts
       FROM (
         SELECT coalesce(state, '') AS state, count(*) AS rows, sum(record_hash) AS digest,
           0 AS added, 0 AS changed, 0 AS removed
         FROM ${versionTable(to)} GROUP BY 1
         ${from === null ? "" : changes}
       ) AS counted (state, rows, digest, added, changed, removed)
       GROUP BY state
     ) AS by_state`,
  );
  return (rows[0] as { states: string }).states;
}

async function insertChanges(
  client: pg.ClientBase,
  { id, from, to, takenAt }: { id: number; from: number; to: number; takenAt: Date },
  { reason, join }: Removal,
): Promise<void> {
  await dynamic(
    client,
    `INSERT INTO feed_change (step_id, ordinal, taken_at, record_id, usdot, before, reason)
     SELECT $1, row_number() OVER (), $2, coalesce(now.record_id, before.record_id), version_change.usdot, before.json,
       CASE WHEN pos_now IS NULL THEN ${reason} END
     FROM version_change
     LEFT JOIN ${versionTable(from)} AS before ON before.pos = pos_before
     LEFT JOIN ${versionTable(to)} AS now ON now.pos = pos_now
     ${join}`,
    [id, takenAt],
  );
}
