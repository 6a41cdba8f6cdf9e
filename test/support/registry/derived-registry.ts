import type pg from "pg";
import { type PublishedFeed, publishFeeds } from "../../../src/feeds/publish/publish.ts";
import { updateRegistry } from "../../../src/registry/authorities/update-registry.ts";
import { findSharedContacts } from "../../../src/registry/contacts/shared-contacts.ts";
import { openTouchedDockets } from "../../../src/registry/merge/merge.ts";
import { putRegistryRow, type RegistryRow } from "./registry-rows.ts";
import { everySourceOf } from "./source-days.ts";

/** The default. */
const SHARED_CONTACT_LIMIT = 5;

/** Rows by the name of their table. */
export type RegistryRows = readonly (readonly [table: string, row: RegistryRow])[];

/** Puts rows into the registry and derives its authorities and shared contacts, as an import does after its merge. */
export async function deriveRegistry(client: pg.ClientBase, rows: RegistryRows, asOf: string): Promise<void> {
  await openTouchedDockets(client);
  for (const [table, row] of rows) await putRegistryRow(client, table, row);
  await touchEveryDocket(client);
  await updateRegistry(client, { asOf, previousAsOf: null });
  await findSharedContacts(client, SHARED_CONTACT_LIMIT);
}

/** Marks every docket as changed, so that every authority is computed again. */
export async function touchEveryDocket(client: pg.ClientBase): Promise<void> {
  await client.query(
    `INSERT INTO touched_docket
     SELECT docket FROM motus_carrier UNION SELECT docket FROM motus_authhist
     UNION SELECT docket FROM legacy_carrier UNION SELECT docket FROM legacy_authhist`,
  );
}

/**
 * Remembers the rows of the history that there are. The function that it returns notes those that came since, as a merge
 * notes its new rows.
 */
export async function knownHistory(client: pg.ClientBase): Promise<() => Promise<void>> {
  await client.query("CREATE TEMP TABLE IF NOT EXISTS new_authhist (row_id uuid PRIMARY KEY) ON COMMIT DROP");
  await client.query("CREATE TEMP TABLE known_row ON COMMIT DROP AS SELECT row_id FROM motus_authhist");
  return async () => {
    await client.query(
      "INSERT INTO new_authhist SELECT row_id FROM motus_authhist WHERE row_id NOT IN (SELECT row_id FROM known_row)",
    );
  };
}

/** Deletes the rows of the history with a reason, and notes them, as a merge does. */
export async function deleteHistory(client: pg.ClientBase, reason: string): Promise<void> {
  await client.query(
    `WITH deleted AS (DELETE FROM motus_authhist WHERE reason = $1 RETURNING *)
     INSERT INTO deleted_authhist SELECT * FROM deleted`,
    [reason],
  );
}

/** Derives the registry and publishes every feed. Each source is of `asOf` unless `sourceDays` says otherwise. */
export async function publishRegistry(
  client: pg.ClientBase,
  rows: RegistryRows,
  options: { asOf: string; now: Date; sourceDays?: ReturnType<typeof everySourceOf> },
): Promise<PublishedFeed[]> {
  const { asOf, now, sourceDays = everySourceOf(asOf) } = options;
  await deriveRegistry(client, rows, asOf);
  const sharedContactLimit = SHARED_CONTACT_LIMIT;
  return publishFeeds(client, { sourceDays, now, sharedContactLimit, hasRegistryChanged: true });
}
