import type pg from "pg";
import { loadSql } from "../../platform/database/sql.ts";
import { LEGACY_CARRIER_CLASSES } from "../authority-classes.ts";

const computePendingRevocations = loadSql(import.meta.url, "pending-revocations.sql");

/** By this day every proceeding that the legacy registry shows as open had ended (fmcsa section 9.3). */
export const LEGACY_REVOCATIONS_END_ON = "2026-06-20";

/**
 * Updates the table pending_revocation as of a day. Writes inserted and deleted rows to the temporary tables
 * new_pending_revocation and gone_pending_revocation. Runs in the caller's transaction, after the authorities.
 */
export async function updatePendingRevocations(client: pg.ClientBase, asOf: string): Promise<number> {
  await client.query(computePendingRevocations, [asOf, LEGACY_REVOCATIONS_END_ON, LEGACY_CARRIER_CLASSES]);
  await client.query(
    `CREATE TEMP TABLE new_pending_revocation ON COMMIT DROP AS
     SELECT now.* FROM pending_revocation_now AS now
     LEFT JOIN seen_order AS before USING (docket, authority_class, usdot, named_on)
     WHERE before.docket IS NULL`,
  );
  await client.query(
    `INSERT INTO seen_order (docket, authority_class, usdot, named_on)
     SELECT docket, authority_class, usdot, named_on FROM new_pending_revocation`,
  );
  await client.query(
    `CREATE TEMP TABLE gone_pending_revocation ON COMMIT DROP AS
     SELECT before.* FROM pending_revocation AS before
     LEFT JOIN pending_revocation_now AS now USING (docket, authority_class, usdot, named_on)
     WHERE now.docket IS NULL`,
  );
  await client.query("DELETE FROM pending_revocation");
  const { rowCount } = await client.query(
    `INSERT INTO pending_revocation
       (docket, authority_class, usdot, served_on, effective_on, order_type, source, named_on)
     SELECT docket, authority_class, usdot, served_on, effective_on, order_type, source, named_on
     FROM pending_revocation_now`,
  );
  await client.query("ANALYZE pending_revocation");
  return rowCount ?? 0;
}
