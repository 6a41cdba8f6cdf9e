import type { Config } from "../context.ts";
import { isOfThisProgram, isSameDatabase, type NamedAddress, type Waits } from "../database/same-database.ts";
import { OperatorError } from "../operator-error.ts";

type Addresses = Pick<Config, "databaseUrl" | "databaseDirectUrl">;

/**
 * Checks that the settings lead to one database: a command that names a copy in one of them must not change the database of the
 * other. OperatorError.
 */
export async function requireOneDatabase(
  { databaseUrl, databaseDirectUrl }: Addresses,
  waits: Waits,
): Promise<void> {
  if (databaseUrl === null || databaseDirectUrl === null) return;
  const direct = { setting: "DATABASE_DIRECT_URL", url: databaseDirectUrl };
  if (await isSameDatabase(direct, { setting: "DATABASE_URL", url: databaseUrl }, waits)) return;
  throw new OperatorError(
    "DATABASE_DIRECT_URL leads to another database than DATABASE_URL. Unset it, or name the same database in both. Nothing was changed.",
  );
}

/**
 * Checks that the address that an option names leads to a database of this program, and to another than the settings do.
 * OperatorError.
 */
export async function requireCopy(
  copy: NamedAddress,
  { databaseUrl, databaseDirectUrl }: Addresses,
  waits: Waits,
): Promise<void> {
  for (const [setting, url] of [
    ["DATABASE_URL", databaseUrl],
    ["DATABASE_DIRECT_URL", databaseDirectUrl],
  ] as const) {
    if (url !== null && (await isSameDatabase(copy, { setting, url }, waits)))
      throw new OperatorError(`${copy.setting} is the database of ${setting}: name a copy of it.`);
  }
  if (await isOfThisProgram(copy, waits)) return;
  throw new OperatorError(
    `The database of ${copy.setting} has no tables of this program: name a copy of its database, such as a restored backup. Nothing was changed.`,
  );
}
