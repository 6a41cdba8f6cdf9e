import type pg from "pg";
import type { Context } from "./context.ts";
import { OperatorError } from "./operator-error.ts";

/** The id of the database's installation. It names files that processes keep outside of the database. */
export async function instanceId(context: Context): Promise<string> {
  const { rows } = await context.db.pool.query<{ id: string }>("SELECT instance_id AS id FROM installation");
  return rows[0]?.id ?? "";
}

/** The first day of the demo registry that the database holds, or null when it holds no demo. */
export const demoFirstDay = ({ db }: Context): Promise<string | null> => demoFirstDayIn(db.pool);

/** The same, read on a connection of the caller's. */
export async function demoFirstDayIn(client: Pick<pg.ClientBase, "query"> | pg.Pool): Promise<string | null> {
  const { rows } = await client.query<{ day: string | null }>(
    "SELECT demo_first_day AS day FROM installation",
  );
  return rows[0]?.day ?? null;
}

/** Marks the database's registry as the demo, with its first day, or as no demo (null). */
export async function markDemo(
  client: Pick<pg.ClientBase, "query"> | pg.Pool,
  firstDay: string | null,
): Promise<void> {
  await client.query("UPDATE installation SET demo_first_day = $1", [firstDay]);
}

const CHECK_TEXT = "the key is right";

/** Checks that SECRETS_KEY is the key of this database's secrets. OperatorError when it is missing or another one. */
export async function requireSecretsKey({ db, secrets }: Context): Promise<void> {
  const sealed = secrets.seal(CHECK_TEXT, "installation");
  const { rows } = await db.pool.query<{ check: Buffer }>(
    `UPDATE installation SET secrets_check = coalesce(secrets_check, $1) RETURNING secrets_check AS "check"`,
    [sealed],
  );
  try {
    secrets.open(rows[0]?.check ?? sealed, "installation");
  } catch {
    throw new OperatorError(
      "SECRETS_KEY is not the key that this database's secrets are sealed with. Set the key used before. (To change " +
        "the key, put the new one before it, separated by a comma.)",
    );
  }
}

/** Seals the check under the first key. Call it when no other secret needs another key. */
export async function renewSecretsCheck({ db, secrets }: Context): Promise<void> {
  const { rows } = await db.pool.query<{ check: Buffer | null }>(
    `SELECT secrets_check AS "check" FROM installation`,
  );
  const check = rows[0]?.check ?? null;
  if (check === null || !secrets.isOutdated(check)) return;
  await db.pool.query("UPDATE installation SET secrets_check = $1 WHERE secrets_check = $2", [
    secrets.seal(CHECK_TEXT, "installation"),
    check,
  ]);
}
