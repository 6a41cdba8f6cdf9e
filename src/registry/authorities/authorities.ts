import { createHash } from "node:crypto";
import type pg from "pg";
import { addDays } from "../../platform/clock.ts";
import { loadSql } from "../../platform/database/sql.ts";
import { LEGACY_CARRIER_CLASSES } from "../authority-classes.ts";
import { LEGACY_FROZEN_ON } from "../datasets.ts";
import { canBeFilled, fillTable } from "../fill-table.ts";
import type { Changes } from "../merge.ts";
import { vocabulariesText } from "../vocabularies/vocabularies.ts";

// Events come from the status of each touched authority before and after this import.
const noteStatusChanges = `
  CREATE TEMP TABLE authority_change ON COMMIT DROP AS
  SELECT now.docket, now.authority_class, now.usdot, before.status AS status_before, now.status AS status_after
  FROM authority_now AS now LEFT JOIN authority AS before USING (docket, authority_class, usdot)`;

const onceEach = `
  CREATE TEMP TABLE touched_once ON COMMIT DROP AS SELECT DISTINCT docket FROM touched_docket;
  DROP TABLE touched_docket;
  ALTER TABLE touched_once RENAME TO touched_docket;
  CREATE UNIQUE INDEX ON touched_docket (docket);
  ANALYZE touched_docket`;

// Dockets with a future-dated history row or an order that takes effect between two as-of days.
const touchDue = `
  INSERT INTO touched_docket (docket)
  SELECT docket FROM motus_authhist WHERE changed_on > $1 AND changed_on <= $2
  UNION ALL
  SELECT coalesce(notice.docket, authority.docket)
  FROM motus_revokesuspend AS notice
  LEFT JOIN authority ON notice.docket IS NULL AND authority.usdot = notice.usdot
  WHERE coalesce(notice.effective_on, notice.served_on + 30) > $1
    AND coalesce(notice.effective_on, notice.served_on + 30) <= $2
    AND coalesce(notice.docket, authority.docket) IS NOT NULL`;

const computeAuthorities = loadSql(import.meta.url, "authorities.sql");

const touchAll = `
  INSERT INTO touched_docket (docket)
  SELECT docket FROM motus_carrier UNION SELECT docket FROM motus_authhist
  UNION SELECT docket FROM legacy_carrier UNION SELECT docket FROM legacy_authhist`;

/** Stores the hash of the rules by which authorities are computed; true when they changed since the last import. */
async function haveRulesChanged(client: pg.ClientBase): Promise<boolean> {
  const hash = createHash("sha256").update(computeAuthorities).update(vocabulariesText).digest("hex");
  const { rowCount } = await client.query(
    `INSERT INTO authority_rules (hash) VALUES ($1)
     ON CONFLICT (id) DO UPDATE SET hash = excluded.hash WHERE authority_rules.hash <> excluded.hash`,
    [hash],
  );
  return rowCount === 1;
}

/**
 * Updates the table authority for every touched docket, and for those whose history rows were future-dated at the
 * previous as-of day and are due now. Writes the status of each touched authority before and after to the temporary table
 * authority_change. Runs in the caller's transaction, after the merges.
 */
export async function updateAuthorities(
  client: pg.ClientBase,
  period: { asOf: string; previousAsOf: string | null },
): Promise<Changes> {
  const { asOf, previousAsOf } = period;
  if (await haveRulesChanged(client)) await client.query(touchAll);
  await client.query(touchDue, [previousAsOf ?? asOf, asOf]);
  await client.query(onceEach);
  const firstSeenOn = previousAsOf === null ? asOf : addDays(previousAsOf, 1);
  await client.query(computeAuthorities, [asOf, firstSeenOn, LEGACY_FROZEN_ON, LEGACY_CARRIER_CLASSES]);
  await client.query(noteStatusChanges);
  const changes = (await canBeFilled(client, "authority", "authority_now"))
    ? await fill(client)
    : await apply(client);
  await client.query("ANALYZE authority");
  return changes;
}

const KEY = ["docket", "authority_class", "usdot"];
const FACTS =
  `op_auth_type status status_source granted_on revocation_pending registry_name registry_dba_name registry_street
  registry_city registry_state registry_zip registry_country registry_phone first_seen_on in_motus`.split(
    /\s+/,
  );
const COLUMNS = [...KEY, ...FACTS];

const factsOf = (row: string): string => FACTS.map((fact) => `${row}.${fact}`).join(", ");

async function fill(client: pg.ClientBase): Promise<Changes> {
  const inserted = await fillTable(client, "authority", COLUMNS, "authority_now");
  return { inserted, updated: 0, deleted: 0 };
}

async function apply(client: pg.ClientBase): Promise<Changes> {
  await client.query("ANALYZE authority_now");
  const deleted = await client.query(`
    DELETE FROM authority AS stored USING touched_docket
    WHERE stored.docket = touched_docket.docket AND NOT EXISTS (
      SELECT FROM authority_now AS now
      WHERE now.docket = stored.docket AND now.authority_class = stored.authority_class AND now.usdot = stored.usdot)`);
  const { rows } = await client.query<{ inserted: number; updated: number }>(`
    WITH applied AS (
      INSERT INTO authority AS stored (${COLUMNS})
      SELECT ${COLUMNS.map((column) => `now.${column}`)} FROM authority_now AS now
      LEFT JOIN authority AS before USING (${KEY})
      WHERE before.docket IS NULL OR ROW (${factsOf("now")}) IS DISTINCT FROM ROW (${factsOf("before")})
      ON CONFLICT (${KEY}) DO UPDATE SET (${FACTS}) = ROW (${factsOf("excluded")})
      RETURNING xmax = 0 AS is_new
    )
    SELECT (count(*) FILTER (WHERE is_new))::int AS inserted, (count(*) FILTER (WHERE NOT is_new))::int AS updated
    FROM applied`);
  return {
    inserted: rows[0]?.inserted ?? 0,
    updated: rows[0]?.updated ?? 0,
    deleted: deleted.rowCount ?? 0,
  };
}
