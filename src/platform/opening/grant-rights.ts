import type { Context } from "../context.ts";
import { grantTo } from "../database/lesser-role.ts";
import { OperatorError } from "../operator-error.ts";

/** Gives a role the rights of `serve` and `dispatch` at the context's database. OperatorError when that can't be done. */
export async function grantRights(
  { config, live }: Pick<Context, "config" | "live">,
  role: string,
): Promise<void> {
  const url = config.databaseDirectUrl ?? config.databaseUrl;
  if (url === null) {
    throw new OperatorError("--grant requires DATABASE_URL: the embedded database has one role.");
  }
  // A service whose role may create databases made that of test mode itself.
  await grantTo(url, role, { mayOwn: live !== undefined });
}
