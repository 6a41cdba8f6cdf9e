// Authority events: changes of the registry between two imports, found by comparison, written once and forgotten with age.
// Owns the tables event, event_correction and detection. Only this folder names the table event: all other statements read the views
// visible_event and event_position. Ids commit in order, because only the importer writes, and it holds a lock.
import type pg from "pg";
import * as sql from "../../generated/sql/events/detect.ts";
import { FREIGHT_CLASSES } from "../../registry/authority-classes.ts";
import { LEGACY_FROZEN_ON } from "../../registry/datasets.ts";
import type { EventType } from "../event-types.ts";

/** What detectEvents needs to know of an import. */
interface ImportedDay {
  asOf: string;
  now: Date;
  /** US state codes; an event elsewhere has no state. */
  states: readonly string[];
  /**
   * The as-of day of the previous import, and which files were imported by then. The first import of a file makes no
   * events: it is the baseline.
   */
  previous: {
    asOf: string | null;
    history: boolean;
    notices: boolean;
    statuses: boolean;
    /** The census: without it, or Motus Carrier, nobody knows which company is new. */
    companies: boolean;
  };
}

/** New events by type, and the number of corrected earlier events. */
export interface Detected {
  byType: Partial<Record<EventType, number>>;
  corrected: number;
}

/**
 * Finds the events of this import and corrects earlier events that the registry corrected. Runs in the import's
 * transaction, after all its other steps. History comes first: of several events about one change, the one with the most
 * detail is kept. writeEvents writes the new events.
 */
export async function detectEvents(
  client: pg.ClientBase,
  { asOf, now, states, previous }: ImportedDay,
): Promise<Detected> {
  const detectedAt = await detectionTime(client, now);
  await sql.openNewEvents(client);
  await sql.followDockets(client);
  await sql.correctHistory(client);
  await sql.correctOrders(client);
  await sql.applyCorrections(client);
  await sql.withdrawEvents(client, { asOf });
  await sql.confirmEvents(client);
  await sql.markCorrected(client, { at: detectedAt });
  const found = { asOf, detectedAt, states, classes: FREIGHT_CLASSES };
  if (previous.history) {
    const registryDays = { previousAsOf: previous.asOf, legacyFrozenOn: LEGACY_FROZEN_ON };
    const countsLate = previous.statuses && previous.companies;
    await sql.detectHistory(client, { ...found, ...registryDays, countsLate });
  }
  if (previous.notices) await sql.detectNotices(client, found);
  if (previous.statuses) await sql.detectStatuses(client, found);
  await sql.dropKnown(client);
  const rows = await sql.countNew(client);
  const { count: corrected } = await sql.countCorrections(client);
  return {
    byType: Object.fromEntries(rows.map(({ type, count }) => [type, count])),
    corrected,
  };
}

const detectionTime = async (client: pg.ClientBase, now: Date): Promise<Date> =>
  (await sql.detectionTime(client, { now })).at;

/**
 * Writes the events and corrections that detectEvents found, and the row of the finished detection. Events of one
 * authority on one day are ordered by cause.
 */
export async function writeEvents(
  client: pg.ClientBase,
  { asOf, now }: Pick<ImportedDay, "asOf" | "now">,
): Promise<void> {
  const at = await detectionTime(client, now);
  await sql.writeEvents(client);
  await sql.writeCorrections(client, { at });
  await sql.recordDetection(client, { finishedAt: at, asOf });
}

/** Which events a rollback takes back: those of types and classes of authority that were detected since a time. */
export interface WithdrawnImport {
  types: readonly EventType[];
  classes: readonly string[];
  since: Date;
  now: Date;
}

/** Withdraws the events that rest on an import which a rollback took back. Returns how many. */
export async function withdrawDetected(
  client: pg.ClientBase,
  { now, ...withdrawn }: WithdrawnImport,
): Promise<number> {
  const at = await detectionTime(client, now);
  return (await sql.withdrawDetected(client, { ...withdrawn, at })).count;
}

/**
 * Deletes every event, as before the first import, in the caller's transaction. Their deliveries stay in the lists of
 * endpoints.
 */
export async function clearEvents(client: pg.ClientBase): Promise<void> {
  await sql.clearEvents(client);
}

export interface ForgottenEvents {
  /** Events detected before this time… */
  before: Date;
  /** …with an id of at most this, */
  upTo: number;
  /** and at most so many of them, the oldest. */
  most: number;
}

/**
 * Deletes old events. Returns how many. A reader whose cursor is before them is told of the gap. A deleted event is not detected
 * again, as long as detection looks back less far than `before`.
 */
export async function forgetEvents(client: pg.ClientBase, forgotten: ForgottenEvents): Promise<number> {
  return (await sql.forgetEvents(client, { ...forgotten })).deleted;
}
