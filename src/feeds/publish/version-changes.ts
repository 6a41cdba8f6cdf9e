import type pg from "pg";
import * as sql from "../../generated/sql/feeds/publish.ts";
import { dynamic } from "../../platform/database/statement.ts";
import { columnNames, type Feed, isVolatile } from "../catalogue.ts";
import { FEED_RULES } from "../rules/feed-rules.ts";
import { firstFailure, isOfFeed, NOT_REMOVED, type Reason } from "../rules/rule.ts";
import { versionTable } from "../versions/feed-version.ts";

const EXAMPLES = 10;
/** Why the record of an authority that the registry no longer has was removed. */
const GONE: Reason = { code: "authority_gone", name: "authority no longer in the registry" };

/** A record that was added, removed or changed. */
interface Example {
  usdot: number;
  docket: string | null;
  /** Both absent for a personal column: names, addresses and contacts stay out of reports. */
  before?: unknown;
  after?: unknown;
}

interface Counted {
  rows: number;
  examples: Example[];
}

/** How a version differs from the one before, without volatile columns. Up to ten examples of each difference. */
export interface VersionChanges {
  added: Counted;
  /** By the name of the first rule that the record fails now. */
  removed: Record<string, Counted>;
  /** Records that differ in a column that both versions have. */
  changedRows: number;
  changed: Record<string, Counted>;
  /** By column, the records that had a value before and have another one now; absent in older reports. */
  revalued?: Record<string, number>;
}

/** Two versions of a feed to compare. */
export interface Compared {
  before: number;
  now: number;
  /** Whether both were made by the same rules of the program. */
  haveSameRules: boolean;
}

/**
 * Compares two versions of a feed, record by record. Needs the temporary table of openCandidates as of the later
 * version's day.
 */
export async function compareVersions(
  client: pg.ClientBase,
  feed: Feed,
  compared: Compared,
): Promise<VersionChanges> {
  const { before, now } = compared;
  const [tableBefore, tableNow] = [versionTable(before), versionTable(now)];
  const personal = columnNames(feed, (column) => column.personal !== null);
  await openVersionChanges(client, feed, compared);
  await sql.openDifferences(client);
  await dynamic(client, removedRecords(feed, tableBefore));
  const added = await count(
    client,
    `SELECT 'added' AS name, now.usdot, now.json::json ->> 'docket_number' AS docket, now.pos AS row_position,
       NULL::jsonb AS before, NULL::jsonb AS after
     FROM version_change JOIN ${tableNow} AS now ON now.pos = pos_now WHERE pos_before IS NULL`,
  );
  const removed = await count(client, "SELECT * FROM removed_record");
  await dynamic(client, changedCells(tableBefore, tableNow), [volatileColumns(feed)]);
  const changed = await count(
    client,
    `SELECT name, usdot, docket, pos_now AS row_position,
       CASE WHEN name <> ALL ($1::text[]) THEN before END AS before,
       CASE WHEN name <> ALL ($1::text[]) THEN after END AS after
     FROM changed_cell`,
    [personal],
  );
  const { rows: changedRows } = await sql.countChangedRows(client);
  const revalued = await sql.countRevalued(client);
  return {
    added: byName(added).added ?? { rows: 0, examples: [] },
    removed: byRule(feed, removed),
    changedRows,
    changed: byName(changed),
    revalued: Object.fromEntries(revalued.map(({ name, rows }) => [name, rows])),
  };
}

/**
 * Creates the temporary table `version_change`: the records that differ between two versions, in more than volatile
 * columns, by their positions.
 */
export async function openVersionChanges(
  client: pg.ClientBase,
  feed: Feed,
  { before, now, haveSameRules }: Compared,
): Promise<void> {
  // The same rules give each record the same id, and the same hash while its content is the same.
  const [key, content] = haveSameRules ? ["record_id", "record_hash"] : [keyOf(feed), contentOf(feed)];
  const rowsOf = (version: number): string =>
    `(SELECT pos, usdot, ${key} AS key, ${content} AS content FROM ${versionTable(version)})`;
  await dynamic(
    client,
    `
    DROP TABLE IF EXISTS version_change;
    CREATE TEMP TABLE version_change ON COMMIT DROP AS
    SELECT coalesce(now.usdot, before.usdot) AS usdot, before.pos AS pos_before, now.pos AS pos_now
    FROM ${rowsOf(before)} AS before
    FULL JOIN ${rowsOf(now)} AS now ON now.usdot = before.usdot AND now.key = before.key
    WHERE now.pos IS NULL OR before.pos IS NULL OR now.content <> before.content;
    ANALYZE version_change`,
  );
}

const volatileColumns = (feed: Feed): string[] => columnNames(feed, isVolatile);

interface Difference extends Counted {
  name: string;
}

/** How many rows a SELECT gives for each name, and the first few of them. */
async function count(
  client: pg.ClientBase,
  select: string,
  values: readonly unknown[] = [],
): Promise<Difference[]> {
  const { rows } = await dynamic(
    client,
    `SELECT name, count(*)::int AS rows,
       json_agg(json_strip_nulls(json_build_object('usdot', usdot, 'docket', docket, 'before', before, 'after', after))
         ORDER BY row_position) FILTER (WHERE number <= ${EXAMPLES}) AS examples
     FROM (SELECT *, row_number() OVER (PARTITION BY name ORDER BY row_position) AS number FROM (${select}) AS row) AS numbered
     GROUP BY name ORDER BY count(*) DESC, name`,
    values,
  );
  return rows as Difference[];
}

const byName = (rows: readonly Difference[]): Record<string, Counted> =>
  Object.fromEntries(rows.map(({ name, rows, examples }) => [name, { rows, examples }]));

/** Removed records by the name of the rule. The report names no business that asked to be removed. */
function byRule(feed: Feed, rows: readonly Difference[]): Record<string, Counted> {
  const { rules, unselected } = FEED_RULES[feed.code];
  const names = new Map(
    [...rules, ...(unselected ? [unselected] : []), GONE].map(({ code, name }) => [code, name]),
  );
  return byName(
    rows.map(({ name: code, rows, examples }) => ({
      name: names.get(code) ?? code,
      rows,
      examples: code === NOT_REMOVED.code ? [] : examples,
    })),
  );
}

/** SQL: the text that distinguishes a record from the others of its company. */
const keyOf = ({ recordKey }: Feed): string => {
  const names = recordKey.filter((name) => name !== "dot_number");
  return `concat_ws('|', ''${names.map((name) => `, json::json ->> '${name}'`).join("")})`;
};

/** SQL: a record's text without the columns that change every day. */
const contentOf = (feed: Feed): string =>
  `regexp_replace(json, '"(${volatileColumns(feed).join("|")})":[^,}]*', '', 'g')`;

/**
 * Fills the temporary table `removed_record`: the records that only the version before has, each with the code of the
 * rule that keeps it out now.
 */
function removedRecords(feed: Feed, tableBefore: string): string {
  const rules = FEED_RULES[feed.code];
  const passed = rules.unselected ?? GONE;
  return `
    INSERT INTO removed_record (name, usdot, docket, row_position)
    SELECT coalesce(now.code, '${GONE.code}'), removed.usdot, removed.docket, removed.pos_before
    FROM (
      SELECT before.usdot, pos_before, json::json ->> 'docket_number' AS docket,
        coalesce(json::json ->> 'authority_type', json::json ->> 'entity_type') AS authority_class
      FROM version_change JOIN ${tableBefore} AS before ON before.pos = pos_before WHERE pos_now IS NULL
    ) AS removed
    LEFT JOIN (
      SELECT usdot, docket_number, authority_class, coalesce(${firstFailure(rules)}, '${passed.code}') AS code
      FROM candidate
      WHERE ${isOfFeed(rules)} AND usdot IN (SELECT usdot FROM version_change WHERE pos_now IS NULL)
    ) AS now ON now.usdot = removed.usdot AND now.authority_class = removed.authority_class
      AND now.docket_number IS NOT DISTINCT FROM removed.docket`;
}

const changedCells = (tableBefore: string, tableNow: string): string => `
  INSERT INTO changed_cell (usdot, pos_now, docket, name, before, after)
  SELECT version_change.usdot, pos_now, now.json::json ->> 'docket_number' AS docket, member.key AS name,
    earlier.value AS before, member.value AS after
  FROM version_change
  JOIN ${tableBefore} AS before ON before.pos = pos_before
  JOIN ${tableNow} AS now ON now.pos = pos_now
  CROSS JOIN LATERAL jsonb_each(before.json::jsonb) AS earlier
  JOIN LATERAL jsonb_each(now.json::jsonb) AS member ON member.key = earlier.key
  WHERE earlier.value <> member.value AND member.key <> ALL ($1::text[])`;

/** How many records were removed, without those of businesses that asked for it. */
export const removedByRegistry = ({ removed }: VersionChanges): number =>
  Object.entries(removed).reduce(
    (sum, [rule, { rows }]) => (rule === NOT_REMOVED.name ? sum : sum + rows),
    0,
  );
