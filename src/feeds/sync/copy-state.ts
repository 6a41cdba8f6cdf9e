import * as sql from "../../generated/sql/feeds/sync.ts";
import { DAY_MS, HOUR_MS } from "../../platform/clock.ts";
import type { Context } from "../../platform/context.ts";
import { ProblemError } from "../../platform/http/problem.ts";
import { columnNames, type Feed, isContact } from "../catalogue.ts";
import { LIST_MARGIN_MS } from "../versions/removals.ts";
import type { PlainRecord } from "./change-entry.ts";
import type { FeedPath } from "./steps.ts";

/** What is known about the moment that a copy shows. */
export interface CopyState {
  /** The number of removals then. */
  number: number;
  /** Whether the copy is of just that number; else it may be of any later one too. */
  isExact: boolean;
  /** Of a copy that is not exact: only what was shown again and what changed in plans since then counts. */
  since: Date;
}

const ALWAYS = new Date(0);

/** For how long a poll that sends no number gets again the rows that were shown again. */
const REPEATED_MS = DAY_MS + HOUR_MS;

/**
 * The state of a copy whose keeper sent that number of removals. A number that the version at the start of the way can't
 * have, or none, says nothing: then the copy may have been read at any time since that version was built.
 */
export function stateOfCopy(
  { clock }: Pick<Context, "clock">,
  { start, steps }: FeedPath,
  { sent, newest }: { sent: number | null; newest: number },
): CopyState {
  const { listNumber, publishedAt, takenAt } = start;
  if (sent !== null && sent >= (listNumber ?? 0) && sent <= newest) return exactly(sent);
  const builtMs = listNumber === null ? publishedAt.getTime() - LIST_MARGIN_MS : 0;
  // A version that a rollback brought back was away: its copy may be from before, and is no poll's.
  const isPoll = steps.length === 0 && takenAt.getTime() === publishedAt.getTime();
  const pollMs = isPoll ? clock.now().getTime() - REPEATED_MS : 0;
  return { number: listNumber ?? -1, isExact: false, since: new Date(Math.max(builtMs, pollMs)) };
}

/** ProblemError `problem` when a restore or a recovery lost what the number of removals of a copy stood for. */
export async function requireKnownNumber(
  { db }: Context,
  sent: number | null,
  problem: "version_expired" | "cursor_expired",
): Promise<void> {
  if (sent === null || !(await sql.isLostNumber(db.pool, { number: sent })).isLost) return;
  throw new ProblemError(
    problem,
    `The changes since the number of removals ${sent} can't be told: the service was restored from a backup, and that number ` +
      "is from the lost time. Take an export, and continue from its version and its number of removals.",
  );
}

const exactly = (number: number): CopyState => ({ number, isExact: true, since: ALWAYS });

/** The state of a copy that was read page by page since that number. */
export const readSince = (number: number): CopyState => ({ number, isExact: false, since: ALWAYS });

/** Whether a copy lacks a record because it was removed when the copy was read. */
export type WasHidden = "yes" | "maybe" | "no";

/** What was taken off the removal list since the moment of a copy, with the number since which it had been on it. */
export interface Returned {
  usdots: ReadonlyMap<number, number>;
  contacts: ReadonlyMap<string, number>;
}

export async function returnedSince({ db }: Context, { number, since }: CopyState): Promise<Returned> {
  const rows = await sql.returnedSince(db.pool, { number, since });
  const returned = { usdots: new Map<number, number>(), contacts: new Map<string, number>() };
  // What was removed and shown again twice counts from the first time on.
  for (const { usdot, contact, hiddenNumber } of rows) {
    if (usdot !== null) setLeast(returned.usdots, usdot, hiddenNumber);
    if (contact !== null) setLeast(returned.contacts, contact, hiddenNumber);
  }
  return returned;
}

function setLeast<Key>(numbers: Map<Key, number>, key: Key, number: number): void {
  numbers.set(key, Math.min(number, numbers.get(key) ?? number));
}

/** What is on the removal list, with the number since then. */
export interface Removed {
  usdots: ReadonlyMap<number, number>;
  contacts: ReadonlyMap<string, number>;
}

/** Whether the business, or a contact of the record, was hidden at the moment of a copy. */
export function wasHidden(
  feed: Feed,
  copy: CopyState,
  { removed, returned }: { removed: Removed; returned: Returned },
  { usdot, record }: { usdot: number; record: PlainRecord | null },
): WasHidden {
  const contacts = record === null ? [] : contactsOf(feed, record);
  const numbersIn = (list: Removed | Returned): number[] =>
    [list.usdots.get(usdot), ...contacts.map((contact) => list.contacts.get(contact))].filter(
      (number) => number !== undefined,
    );
  if (numbersIn(removed).some((number) => number <= copy.number)) return "yes";
  const back = numbersIn(returned);
  if (!copy.isExact) return back.length > 0 ? "maybe" : "no";
  return back.some((number) => number <= copy.number) ? "yes" : "no";
}

export const contactsOf = (feed: Feed, record: PlainRecord): string[] =>
  columnNames(feed, isContact).flatMap((name) => (record[name] === null ? [] : String(record[name])));
