import { Command } from "commander";
import type { EntryContext } from "../platform/context.ts";
import { grantRights } from "../platform/opening/grant-rights.ts";
import { otherOwnerOfTestMode } from "../platform/opening/open-test-mode.ts";
import { findTestMode } from "../testmode/test-mode.ts";
import { withContext } from "./terminal/reporting.ts";

export function migrateCommand(): Command {
  return new Command("migrate")
    .description(
      "Apply pending migrations (every other command but backup, restore and recovered also does this when it starts)",
    )
    .option("--grant <role>", "also give a role of PostgreSQL the rights that serve and dispatch need")
    .addHelpText(
      "after",
      `
The role must exist. It can then read and write rows, also of tables made later, but it can't alter, drop or empty a table.
The database of test mode is included once there is one: after the first test key, give the rights again. One that belongs to
another role is left to the service of that role.
migrate, import, restore, recovered and upgrade rehearse need the owner of the tables; every other command works with the
role.

Example:
  migrate --grant tdf_service`,
    )
    .action(({ grant }: { grant?: string }) =>
      withContext(async (context) => {
        process.stdout.write("The database is up to date.\n");
        if (grant !== undefined) await grantRights(context, grant);
        await migrateTestMode(context, grant);
        if (grant !== undefined) process.stdout.write(`The role ${grant} may run serve and dispatch.\n`);
      }),
    );
}

/** Migrates the database of test mode, since the lesser role of a service can't, and gives a role its rights there. */
async function migrateTestMode(context: EntryContext, grant: string | undefined): Promise<void> {
  const other = await otherOwnerOfTestMode(context);
  if (other !== null) {
    process.stdout.write(
      `The database ${other.name} of test mode belongs to the role ${other.owner}: its service migrates it.\n`,
    );
    return;
  }
  const test = await findTestMode(context);
  if (test !== null && grant !== undefined) await grantRights(test, grant);
}
