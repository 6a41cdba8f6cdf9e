// The log of what people did in the dashboard of their account. It has no secrets: a subject is a name, a number or an address
// of a person.
import * as sql from "../../generated/sql/accounts/people.ts";
import type { Context } from "../../platform/context.ts";
import type { Queryable } from "../../platform/database/statement.ts";
import type { Role } from "./roles.ts";

/** A person in an account. */
export interface Person {
  id: number;
  email: string;
  role: Role;
}

/** Who acts: a person in the dashboard, or a program with a key. An operator is neither. */
export interface Maker {
  person?: Person | undefined;
  keyId?: string | undefined;
}

/** Who acts, and in which account. */
export interface Doer extends Maker {
  accountId: number;
}

export type LoggedAction =
  | "signed_in"
  | "signed_out_everywhere"
  | "invited"
  | "invitation_withdrawn"
  | "joined"
  | "role_changed"
  | "removed"
  | "left"
  | "key_made"
  | "key_rotated"
  | "test_key_made"
  | "test_key_rotated"
  | "test_key_revoked"
  | "key_revoked"
  | "endpoint_made"
  | "endpoint_changed"
  | "endpoint_paused"
  | "endpoint_enabled"
  | "endpoint_deleted"
  | "secret_rotated"
  | "watchlist_made"
  | "watchlist_changed"
  | "watchlist_deleted"
  | "daily_mail_switched"
  | "export_started";

/** How long the log keeps a line. */
export const ACTIONS_KEPT_DAYS = 400;

/** As much of a subject as the log keeps. */
const LONGEST_SUBJECT = 300;

/** Records what a person did, in the caller's transaction. What a program or an operator does is not recorded here. */
export async function recordAction(
  client: Queryable,
  { accountId, person }: Doer,
  { action, subject, now }: { action: LoggedAction; subject: string | number | null; now: Date },
): Promise<void> {
  if (person === undefined) return;
  const text = subject === null ? null : String(subject).slice(0, LONGEST_SUBJECT);
  await sql.insertAction(client, { accountId, now, person: person.email, action, subject: text });
}

/** Records that a person has begun to download a file. */
export const recordExport = ({ db, clock }: Context, doer: Doer, file: string): Promise<void> =>
  recordAction(db.pool, doer, { action: "export_started", subject: file, now: clock.now() });

/** Who made something, as its row keeps it: the address of a person, or the identifier of a key. */
export const makerOf = ({ person, keyId }: Maker): string | null => person?.email ?? keyId ?? null;

/** One line of the log. */
export interface ActionShown {
  id: number;
  at: string;
  /** The address of who did it. */
  person: string;
  action: string;
  subject: string | null;
}

/** The actions of an account before a line of its log, the newest first. */
export async function listActions(
  { db }: Context,
  accountId: number,
  { before, most }: { before: number | null; most: number },
): Promise<ActionShown[]> {
  const rows = await db.prisma.accountLog.findMany({
    where: { accountId, ...(before !== null && { id: { lt: before } }) },
    orderBy: { id: "desc" },
    take: most,
  });
  return rows.map(({ id, at, person, action, subject }) => ({
    id: Number(id),
    at: at.toISOString(),
    person,
    action,
    subject,
  }));
}
