import type pg from "pg";
import { loadSql } from "../../platform/database/sql.ts";
import { columnNames, type Feed } from "../catalogue.ts";
import { FEED_RULES, firstFailure, REMOVAL_RULE } from "../explain/rules.ts";
import { versionTable } from "../versions/version-table.ts";

const candidates = loadSql(import.meta.url, "../explain/candidate.sql");
const EXAMPLES = 10;
const GONE = "authority no longer in the registry";

/** A record that came or left, by its company. */
interface Example {
  usdot: number;
  docket: string | null;
  /** Both absent where the column tells of people: names, addresses and contacts stay out of reports. */
  before?: unknown;
  after?: unknown;
}

interface Counted {
  rows: number;
  examples: Example[];
}

/** How a version differs from the one before it, volatile columns aside. Up to ten examples each. */
export interface VersionChanges {
  added: Counted;
  /** By the first rule that keeps the record out now. */
  removed: Record<string, Counted>;
  /** Records in which any column that both versions have differs. */
  changedRows: number;
  changed: Record<string, Counted>;
}

/**
 * Compares two versions of a feed, record by record. Runs while the temporary tables of the later version's
 * candidates stand.
 */
export async function compareVersions(
  client: pg.ClientBase,
  feed: Feed,
  { before, now }: { before: number; now: number },
): Promise<VersionChanges> {
  const [tableBefore, tableNow] = [versionTable(before), versionTable(now)];
  const volatile = columnNames(feed, ({ isVolatile }) => isVolatile);
  const personal = columnNames(feed, (column) => column.personal !== null);
  const content = contentOf(volatile);
  await client.query(`
    DROP TABLE IF EXISTS version_change;
    CREATE TEMP TABLE version_change ON COMMIT DROP AS
    SELECT coalesce(now.usdot, before.usdot) AS usdot, before.pos AS pos_before, now.pos AS pos_now
    FROM (SELECT pos, usdot, ${keyOf(feed)} AS key, ${content} AS content FROM ${tableBefore}) AS before
    FULL JOIN (SELECT pos, usdot, ${keyOf(feed)} AS key, ${content} AS content FROM ${tableNow}) AS now
      ON now.usdot = before.usdot AND now.key = before.key
    WHERE now.pos IS NULL OR before.pos IS NULL OR now.content <> before.content;
    ANALYZE version_change`);
  const added = await client.query<Counted & { name: string }>(
    counted(`SELECT 'added' AS name, now.usdot, now.json::json ->> 'docket_number' AS docket, now.pos AS place,
       NULL::jsonb AS before, NULL::jsonb AS after
     FROM version_change JOIN ${tableNow} AS now ON now.pos = pos_now WHERE pos_before IS NULL`),
  );
  const removed = await client.query<Counted & { name: string }>(counted(removedRows(feed, tableBefore)), [
    FEED_RULES[feed.code].classes,
  ]);
  await client.query("DROP TABLE IF EXISTS changed_cell");
  await client.query(changedCells(tableBefore, tableNow), [volatile]);
  const changed = await client.query<Counted & { name: string }>(
    counted(`SELECT name, usdot, docket, pos_now AS place,
       CASE WHEN name <> ALL ($1::text[]) THEN before END AS before,
       CASE WHEN name <> ALL ($1::text[]) THEN after END AS after
     FROM changed_cell`),
    [personal],
  );
  const rows = await client.query<{ rows: number }>(
    "SELECT count(DISTINCT pos_now)::int AS rows FROM changed_cell",
  );
  const removedByRule = byName(removed.rows);
  // Who asked to be removed is named nowhere.
  const withdrawn = removedByRule[REMOVAL_RULE];
  if (withdrawn) withdrawn.examples = [];
  return {
    added: byName(added.rows).added ?? { rows: 0, examples: [] },
    removed: removedByRule,
    changedRows: rows.rows[0]?.rows ?? 0,
    changed: byName(changed.rows),
  };
}

const byName = (rows: readonly (Counted & { name: string })[]): Record<string, Counted> =>
  Object.fromEntries(rows.map(({ name, rows, examples }) => [name, { rows, examples }]));

/** What tells a record of a feed from the others of its company. */
const keyOf = ({ recordKey }: Feed): string => {
  const names = recordKey.filter((name) => name !== "dot_number");
  return `concat_ws('|', ''${names.map((name) => `, json::json ->> '${name}'`).join("")})`;
};

/** A record's text without the columns that every day changes. */
const contentOf = (volatile: readonly string[]): string =>
  `regexp_replace(json, '"(${volatile.join("|")})":[^,}]*', '', 'g')`;

/** Rows by name, and the first few of each. */
const counted = (rows: string): string => `
  SELECT name, count(*)::int AS rows,
    json_agg(json_strip_nulls(json_build_object('usdot', usdot, 'docket', docket, 'before', before, 'after', after))
      ORDER BY place) FILTER (WHERE number <= ${EXAMPLES}) AS examples
  FROM (SELECT *, row_number() OVER (PARTITION BY name ORDER BY place) AS number FROM (${rows}) AS row) AS numbered
  GROUP BY name ORDER BY count(*) DESC, name`;

function removedRows(feed: Feed, tableBefore: string): string {
  const { onePer } = FEED_RULES[feed.code];
  const other = (onePer?.name ?? GONE).replaceAll("'", "''");
  return `
    SELECT coalesce(verdict.rule, '${GONE}') AS name, left_row.usdot, left_row.docket, left_row.pos_before AS place, NULL::jsonb AS before, NULL::jsonb AS after
    FROM (
      SELECT before.usdot, pos_before, json::json ->> 'docket_number' AS docket,
        coalesce(json::json ->> 'authority_type', json::json ->> 'entity_type') AS authority_class
      FROM version_change JOIN ${tableBefore} AS before ON before.pos = pos_before WHERE pos_now IS NULL
    ) AS left_row
    LEFT JOIN (
      SELECT usdot, docket, authority_class, coalesce(${firstFailure(FEED_RULES[feed.code])}, '${other}') AS rule
      FROM (${candidates}) AS candidate
      WHERE authority_class = ANY ($1) AND usdot IN (SELECT usdot FROM version_change WHERE pos_now IS NULL)
    ) AS verdict ON verdict.usdot = left_row.usdot AND verdict.authority_class = left_row.authority_class
      AND shown_docket(verdict.docket) IS NOT DISTINCT FROM left_row.docket`;
}

const changedCells = (tableBefore: string, tableNow: string): string => `
  CREATE TEMP TABLE changed_cell ON COMMIT DROP AS
  SELECT version_change.usdot, pos_now, now.json::json ->> 'docket_number' AS docket, member.key AS name,
    earlier.value AS before, member.value AS after
  FROM version_change
  JOIN ${tableBefore} AS before ON before.pos = pos_before
  JOIN ${tableNow} AS now ON now.pos = pos_now
  CROSS JOIN LATERAL jsonb_each(before.json::jsonb) AS earlier
  JOIN LATERAL jsonb_each(now.json::jsonb) AS member ON member.key = earlier.key
  WHERE earlier.value <> member.value AND member.key <> ALL ($1::text[])`;

/** Records that left, those of removed businesses aside. */
export const removedByRegistry = ({ removed }: VersionChanges): number =>
  Object.entries(removed).reduce((sum, [rule, { rows }]) => (rule === REMOVAL_RULE ? sum : sum + rows), 0);
