// The values that few USDOT numbers have in common. They are found beside the service: no import waits for them. Removed
// businesses and contacts are left out by the statements that read them, so a removal holds at once.
import type pg from "pg";
import * as sql from "../../generated/sql/carriers/connections.ts";
import type { Context } from "../../platform/context.ts";
import { keepTrying } from "../../platform/database/keep-trying.ts";
import { analyze } from "../../platform/database/statement.ts";
import { tryLock } from "../../platform/database/transaction.ts";
import { recordLinks, tryLockChanges } from "../../registry/changes/record-links.ts";
import { publicEmailDomains } from "../../registry/contacts/agent-contacts.ts";
import { LEGACY_FROZEN_ON } from "../../registry/datasets.ts";
import { findChangedLinks } from "./changed-links.ts";

// The key of the advisory lock of the process that finds the values. No other lock of this database uses the number.
const VALUES_LOCK = 73_100_008;
const LOOK_EVERY_MS = 5_000;

/** A value of more numbers says nothing of any two of them: it is a franchise's, a filing service's or a placeholder. */
const MOST_NUMBERS = 20;
/** So many active numbers may have a contact before it counts as shared and is blanked (SHARED_CONTACT_LIMIT as shipped). */
const MOST_ACTIVE = 5;

/** Brings the shared values up to date now and soon after each publication, until the returned function is called. */
export const keepSharedValues = (context: Context): (() => Promise<void>) =>
  keepTrying(context, LOOK_EVERY_MS, {
    work: () => updateSharedValues(context),
    failure: "The connections of businesses could not be brought up to date. Trying again.",
  });

/**
 * Brings the shared values up to date with the registry that is served, and records the links that changed, in one
 * transaction. Does nothing while another process does it, or while an import records changes: no import waits for it.
 */
export async function updateSharedValues({ db, log, clock }: Context): Promise<void> {
  if ((await sql.findStale(db.pool)) === undefined) return;
  await db.bulkTransaction(async (client) => {
    if (!(await tryLock(client, VALUES_LOCK))) return;
    const stale = await sql.findStale(client);
    if (!stale?.asOf) return;
    await sql.useOneProcessor(client);
    const { registry, asOf, newestChangeId } = stale;
    await findShared(client, asOf);
    const changed = await findChangedLinks(client, log, stale);
    if (!(await tryLockChanges(client))) return;
    await recordLinks(client, changed, { asOf, now: clock.now() });
    await sql.bringUpToDate(client);
    await sql.noteShared(client, { registry, asOf, lastChangeId: newestChangeId });
    log.info({ asOf, changes: changed.length }, "The connections of businesses are up to date.");
  });
}

/** Fills shared_now, kind by kind, so that the values of all numbers are never held at once. */
async function findShared(client: pg.PoolClient, asOf: string): Promise<void> {
  const legacyFrozenOn = LEGACY_FROZEN_ON;
  const freeDomains = await freeMailDomains();
  await sql.holdNumbers(client);
  const kinds = [
    () => sql.holdContacts(client, { legacyFrozenOn, freeDomains }),
    () => sql.holdAddresses(client, { legacyFrozenOn }),
    () => sql.holdPolicies(client, { asOf, legacyFrozenOn }),
    () => sql.holdDockets(client),
    () => sql.holdDeclarations(client, { most: MOST_NUMBERS }),
  ];
  for (const hold of kinds) {
    await hold();
    await analyze(client, "held_value");
    await sql.keepShared(client, { mostNumbers: MOST_NUMBERS, mostActive: MOST_ACTIVE });
    await sql.release(client);
  }
  await analyze(client, "shared_now");
}

/** Domains of which anybody can have an address. Most processes never need them, so they are not loaded at the start. */
async function freeMailDomains(): Promise<string[]> {
  const { default: providers } = await import("email-providers/all.json", { with: { type: "json" } });
  return [...providers, ...publicEmailDomains()];
}
