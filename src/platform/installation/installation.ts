import * as sql from "../../generated/sql/platform/installation.ts";
import type { Context } from "../context.ts";
import { withSessionLock } from "../database/session-lock.ts";
import type { Queryable } from "../database/statement.ts";
import { OperatorError } from "../operator-error.ts";
import type { Secrets } from "../secrets.ts";

/** The id of the database's installation. It names files that processes keep outside of the database. */
export async function instanceId(context: Context): Promise<string> {
  const row = await sql.instanceId(context.db.pool);
  return row?.id ?? "";
}

/** The key of record ids. It stays the same for as long as the installation exists, also in a restored backup. */
export async function recordIdKey(client: Queryable): Promise<Buffer> {
  const row = await sql.readRecordIdKey(client);
  if (!row) throw new Error("the database has no installation");
  return row.key;
}

/** The first day of the demo registry that the database holds, or null when it holds no demo. */
export const demoFirstDay = ({ db }: Context): Promise<string | null> => demoFirstDayIn(db.pool);

/** The same, read on a connection of the caller's. */
export async function demoFirstDayIn(client: Queryable): Promise<string | null> {
  const row = await sql.demoFirstDay(client);
  return row?.day ?? null;
}

/** Marks the database's registry as the demo, with its first day, or as no demo (null). */
export async function markDemo(client: Queryable, firstDay: string | null): Promise<void> {
  await sql.markDemo(client, { firstDay });
}

/** The key of the advisory lock of the process that makes the demo. */
const DEMO_LOCK = 73_100_041;

/** Runs `work`, which makes the demo, in one process at a time: another that starts meanwhile waits, and finds it made. */
export const whileAloneWithDemo = <T>({ db }: Context, work: () => Promise<T>): Promise<T> =>
  withSessionLock(db, DEMO_LOCK, work);

/** Whether the installation has, or had, test keys. */
export async function hasTestMode({ db }: Context): Promise<boolean> {
  const row = await sql.testModeSince(db.pool);
  return row !== undefined && row.since !== null;
}

/** Marks the installation as one that has test keys. */
export async function markTestMode({ db, clock }: Context): Promise<void> {
  await sql.markTestMode(db.pool, { now: clock.now() });
}

/** The fixture registry that a database of test mode was filled with; null before, and in a database of 1.0. */
export async function fixtureIn(client: Queryable): Promise<string | null> {
  const row = await sql.fixture(client);
  return row?.fixture ?? null;
}

export async function markFixture({ db }: Context, fixture: string): Promise<void> {
  await sql.markFixture(db.pool, { fixture });
}

const CHECK_TEXT = "the key is right";

/** Checks that SECRETS_KEY is the key of this database's secrets. OperatorError when it is missing or another one. */
export async function requireSecretsKey({ db, secrets }: Context): Promise<void> {
  const sealed = secrets.seal(CHECK_TEXT, "installation");
  const row = await sql.setFirstCheck(db.pool, { sealed });
  try {
    secrets.open(row?.check ?? sealed, "installation");
  } catch {
    throw new OperatorError(
      "SECRETS_KEY is not the key that this database's secrets are sealed with. Set the key used before. (To change " +
        "the key, put the new one before it, separated by a comma.)",
    );
  }
}

/** The sealed check of a database, or null before the first start of its service. */
export async function secretsCheckIn(client: Queryable): Promise<Buffer | null> {
  const row = await sql.readCheck(client);
  return row?.check ?? null;
}

/** Checks that SECRETS_KEY opens the sealed check of a backup. OperatorError when it is missing or another one. */
export function requireKeyOfBackup(secrets: Secrets, check: Buffer): void {
  try {
    secrets.open(check, "installation");
  } catch (error) {
    if (error instanceof OperatorError) throw error;
    throw new OperatorError(
      "SECRETS_KEY is not the key that the backup's secrets are sealed with. Set the key used when it was made; the " +
        "program's own PostgreSQL has it in DATA_DIR/secrets.key. Nothing was changed.",
    );
  }
}

/** Seals the check under the first key. Call it when no other secret needs another key. */
export async function renewSecretsCheck({ db, secrets }: Context): Promise<void> {
  const check = await secretsCheckIn(db.pool);
  if (check === null || !secrets.isOutdated(check)) return;
  await sql.replaceCheck(db.pool, { sealed: secrets.seal(CHECK_TEXT, "installation"), before: check });
}
