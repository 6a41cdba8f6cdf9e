import type pg from "pg";
import * as sql from "../../generated/sql/registry/authorities.ts";
import { analyze } from "../../platform/database/statement.ts";
import { LEGACY_CARRIER_CLASSES } from "../authority-classes.ts";

/** By this day every open proceeding of the legacy registry had ended (section 9.3 of the registry's reference). */
export const LEGACY_REVOCATIONS_END_ON = "2026-06-20";

/**
 * Updates the table pending_revocation to a day and returns its number of rows. The temporary tables
 * new_pending_revocation and deleted_pending_revocation get the orders that this import added and deleted. Runs in the
 * caller's transaction, after the authorities.
 */
export async function updatePendingRevocations(client: pg.ClientBase, asOf: string): Promise<number> {
  await sql.computePendingRevocations(client, {
    asOf,
    legacyEndsOn: LEGACY_REVOCATIONS_END_ON,
    legacyCarrierClasses: LEGACY_CARRIER_CLASSES,
  });
  await sql.openNewPendingRevocations(client);
  await sql.recordSeenOrders(client);
  await sql.openDeletedPendingRevocations(client);
  await sql.deletePendingRevocations(client);
  const rowCount = await sql.insertPendingRevocations(client);
  await analyze(client, "pending_revocation");
  return rowCount;
}
