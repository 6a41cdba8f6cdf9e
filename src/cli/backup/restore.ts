import { type FileHandle, open } from "node:fs/promises";
import { Command } from "commander";
import { RESTORE_CONNECTIONS, type RestoreDone, restoreBackup } from "../../backup/restore.ts";
import { OperatorError } from "../../platform/operator-error.ts";
import { count, print } from "../print.ts";
import { withContext } from "../with-context.ts";
import { tableBar } from "./backup.ts";

interface Flags {
  replace?: boolean;
  removals?: string;
  loseRemovals?: boolean;
  json?: boolean;
}

export const restoreCommand = (): Command =>
  new Command("restore")
    .argument("<file>", "file that `tdf backup` wrote; restore only files that you trust")
    .description("Make the database what it was at a backup; businesses removed since then stay removed")
    .option("--replace", "delete the data that the database has")
    .option("--removals <export>", "also merge a removal list that `removal export` wrote after the backup")
    .option("--lose-removals", "go on although the removal list of the replaced database can't be read")
    .option("--json", "print as JSON")
    .addHelpText(
      "after",
      `
Stop every process first. The whole file is checked before anything is changed, and the restore is one transaction: when it
fails, the database is as it was. --replace keeps the removals of the database that it deletes.

Mails and deliveries that waited at the time of the backup are sent again. Keys revoked since then work again.`,
    )
    .action((file: string, flags: Flags) =>
      withContext(
        async (context) => {
          const removals = flags.removals === undefined ? null : await openExport(flags.removals);
          const progress = tableBar("loading");
          try {
            const done = await restoreBackup(context, {
              file,
              replaces: flags.replace ?? false,
              removals: removals?.readLines() ?? null,
              losesRemovals: flags.loseRemovals ?? false,
              onTable: progress.show,
            });
            progress.end();
            print(done, flags, () => linesOf(done));
          } finally {
            progress.end();
            await removals?.close();
          }
        },
        { connectionsNamed: RESTORE_CONNECTIONS },
      ),
    );

const openExport = (file: string): Promise<FileHandle> =>
  open(file).catch((error: NodeJS.ErrnoException) => {
    throw new OperatorError(`The file ${file} can't be read (${error.code}).`);
  });

function linesOf({ made_at, rows, tables, removals }: RestoreDone): string[] {
  return [
    `${count(rows)} rows of ${count(tables)} tables restored, as of ${made_at}.`,
    removals === null
      ? "Removals since then are not known. Import the newest export of the removal list before you start the service."
      : `${count(removals.requests)} removal requests merged; ${count(removals.businesses)} more businesses are removed.`,
  ];
}
