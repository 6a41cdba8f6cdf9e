import { Command } from "commander";
import { withContext } from "./terminal/reporting.ts";

export function migrateCommand(): Command {
  return new Command("migrate")
    .description("Apply pending migrations (every other command also does this when it starts)")
    .action(() =>
      withContext(async () => {
        process.stdout.write("The database is up to date.\n");
      }),
    );
}
