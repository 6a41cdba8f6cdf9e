import { Command } from "commander";
import { withContext } from "./with-context.ts";

export function migrateCommand(): Command {
  return new Command("migrate")
    .description("Bring the database up to date (every other command does so too before it runs)")
    .action(() =>
      withContext(async () => {
        process.stdout.write("The database is up to date.\n");
      }),
    );
}
