import { createHash } from "node:crypto";
import type pg from "pg";
import * as sql from "../../generated/sql/registry/authorities.ts";
import { addDays } from "../../platform/clock.ts";
import { analyze, dynamic } from "../../platform/database/statement.ts";
import { LEGACY_CARRIER_CLASSES } from "../authority-classes.ts";
import { LEGACY_FROZEN_ON } from "../datasets.ts";
import { canBeFilled, fillTable } from "../merge/fill-table.ts";
import { analyzeAfter, type Changes } from "../merge/merge.ts";
import { vocabulariesText } from "../vocabularies/vocabularies.ts";

/** Identifies the rules that authorities and pending revocations are computed by. */
const hashOfRules = (): string =>
  createHash("sha256")
    .update(sql.computeAuthorities.text)
    .update(sql.computePendingRevocations.text)
    .update(vocabulariesText)
    .digest("hex");

/** Whether the rules differ from those of the last import. */
export async function haveAuthorityRulesChanged(client: pg.ClientBase): Promise<boolean> {
  const row = await sql.readRules(client);
  return row?.hash !== hashOfRules();
}

/** Records the rules. Whether they differ from those of the last import. */
async function recordRules(client: pg.ClientBase): Promise<boolean> {
  const rowCount = await sql.recordRules(client, { hash: hashOfRules() });
  return rowCount === 1;
}

/**
 * Updates the table authority for every touched docket, and for dockets whose rows were future-dated at the last import
 * and are due now. The temporary table authority_change gets each touched authority's status before and now. Runs in
 * the caller's transaction, after the merges. Also returns whether the rules differ from those of the last import.
 */
export async function updateAuthorities(
  client: pg.ClientBase,
  period: { asOf: string; previousAsOf: string | null },
): Promise<{ changes: Changes; haveRulesChanged: boolean }> {
  const { asOf, previousAsOf } = period;
  const haveRulesChanged = await recordRules(client);
  if (haveRulesChanged) await sql.touchAll(client);
  await sql.touchDue(client, { previousAsOf: previousAsOf ?? asOf, asOf });
  await sql.touchEachOnce(client);
  const firstSeenOn = previousAsOf === null ? asOf : addDays(previousAsOf, 1);
  await sql.computeAuthorities(client, {
    asOf,
    firstSeenOn,
    legacyFrozenOn: LEGACY_FROZEN_ON,
    legacyCarrierClasses: LEGACY_CARRIER_CLASSES,
  });
  await sql.recordStatusChanges(client);
  const changes = (await canBeFilled(client, "authority", "authority_now"))
    ? await fill(client)
    : await apply(client);
  await analyzeAfter(client, "authority", changes);
  return { changes, haveRulesChanged };
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
  await analyze(client, "authority_now");
  const deleted = await sql.deleteAbsentAuthorities(client);
  const { rows } = await dynamic(
    client,
    `
    WITH applied AS (
      INSERT INTO authority AS stored (${COLUMNS})
      SELECT ${COLUMNS.map((column) => `now.${column}`)} FROM authority_now AS now
      LEFT JOIN authority AS before USING (${KEY})
      WHERE before.docket IS NULL OR ROW (${factsOf("now")}) IS DISTINCT FROM ROW (${factsOf("before")})
      ON CONFLICT (${KEY}) DO UPDATE SET (${FACTS}) = ROW (${factsOf("excluded")})
      RETURNING xmax = 0 AS is_new
    )
    SELECT (count(*) FILTER (WHERE is_new))::int AS inserted, (count(*) FILTER (WHERE NOT is_new))::int AS updated
    FROM applied`,
  );
  const [{ inserted, updated }] = rows as [{ inserted: number; updated: number }];
  return { inserted, updated, deleted };
}
