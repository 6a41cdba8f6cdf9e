import * as sql from "../../generated/sql/registry/changes.ts";
import type { Queryable } from "../../platform/database/statement.ts";
import { lock, tryLock } from "../../platform/database/transaction.ts";

// The key of the advisory lock of whoever records changes. No other lock of this database uses the number.
const CHANGES_LOCK = 73_100_009;

/** The table and the field under which recorded_field knows that links are recorded. */
export const LINKS = { source: "shared_value", field: "link" };

/** Waits until nobody else records changes, and keeps others from it until the transaction ends: their ids are counted up. */
export const lockChanges = (client: Queryable): Promise<void> => lock(client, CHANGES_LOCK);

/** The same without waiting. False: an import is recording. */
export const tryLockChanges = (client: Queryable): Promise<boolean> => tryLock(client, CHANGES_LOCK);

/** A link of a company with another one that began or ended. */
export interface LinkChange {
  usdot: number;
  other: number;
  kind: string;
  /** What both have. No reader sees it. */
  value: string;
  before: "now" | "earlier" | null;
  after: "now" | "earlier";
  registryOn: string | null;
  source: string;
}

/** Records changed links, in a transaction that has the lock. The first time it only remembers that recording began. */
export async function recordLinks(
  client: Queryable,
  links: readonly LinkChange[],
  { asOf, now }: { asOf: string; now: Date },
): Promise<void> {
  await sql.startRecording(client, { source: LINKS.source, fields: [LINKS.field], since: now });
  if (links.length === 0) return;
  await sql.recordLinks(client, { links: JSON.stringify(links), asOf, seenAt: now });
  await sql.keepChangeIds(client);
}
