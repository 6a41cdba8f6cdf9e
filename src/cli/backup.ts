import { Command } from "commander";
import { makeBackup } from "../backup/backup.ts";
import { recordBackup } from "../backup/last-backup.ts";
import { skipNumbers } from "../backup/recovered.ts";
import { RESTORE_CONNECTIONS, type RestoreDone, restoreBackup } from "../backup/restore.ts";
import { openFile } from "../platform/operator-file.ts";
import { countOf } from "../platform/plural.ts";
import { stoppable } from "../platform/stop-signals.ts";
import { changeOfRemoved } from "./removals/change-of-removed.ts";
import { wholeNumberFrom } from "./terminal/arguments.ts";
import { count } from "./terminal/print.ts";
import { progressDisplay } from "./terminal/progress.ts";
import { reporting } from "./terminal/reporting.ts";

export const backupCommand = (): Command =>
  reporting(
    new Command("backup")
      .argument("<file>", "file to write; one of that name is replaced when the backup is complete")
      .description("Write the whole database to one compressed file, while the service runs")
      .addHelpText(
        "after",
        `
The file holds contacts, and secrets sealed with SECRETS_KEY. Let nobody else read it, and keep SECRETS_KEY elsewhere.
"tdf restore FILE" restores it. It refuses while a migration is due: back up before the upgrade, with the old program.`,
      ),
    async (context, file: string) => {
      const progress = tableProgress("writing");
      const { onTable } = progress;
      try {
        const made = await stoppable((signal) => makeBackup(context, { file, signal, onTable }));
        await recordBackup(context, made);
        const { rows, tables, size_bytes: bytes } = made;
        const sentence = `${count(rows)} rows of ${count(tables)} tables written to ${file} (${count(bytes)} bytes).`;
        return { value: made, lines: [sentence] };
      } finally {
        progress.end();
      }
    },
    { requiresMigrated: true },
  );

const tableProgress = (verb: string) => {
  const { show, end } = progressDisplay({ onlyOnTerminal: true });
  return {
    onTable: (table: string, done: number, total: number) => show({ what: `${verb} ${table}`, done, total }),
    end,
  };
};

interface Flags {
  replace?: boolean;
  removals?: string;
  loseRemovals?: boolean;
}

export const restoreCommand = (): Command =>
  reporting(
    new Command("restore")
      .argument("<file>", "file that `tdf backup` wrote; restore only files that you trust")
      .description("Make the database what it was at a backup; businesses removed since then stay removed")
      .option("--replace", "delete the data that the database has")
      .option("--removals <export>", "also merge a removal list that `removal export` wrote after the backup")
      .option("--lose-removals", "go on although the removal list of the replaced database can't be read")
      .addHelpText(
        "after",
        `
Stop every process first. The whole file is checked before anything is changed, and the restore is one transaction: when it
fails, the database is as it was. --replace keeps the removals of the database that it deletes.

Mails and deliveries that waited at the time of the backup are sent again. Keys revoked since then work again.`,
      ),
    async (context, file: string, flags: Flags) => {
      const removals = flags.removals === undefined ? null : await openFile(flags.removals);
      const progress = tableProgress("loading");
      try {
        const done = await restoreBackup(context, {
          file,
          replaces: flags.replace ?? false,
          removals: removals?.readLines() ?? null,
          losesRemovals: flags.loseRemovals ?? false,
          onTable: progress.onTable,
        });
        return { value: done, lines: linesOf(done) };
      } finally {
        progress.end();
        await removals?.close();
      }
    },
    { connectionsNamed: RESTORE_CONNECTIONS },
  );

function linesOf({ made_at, rows, tables, removals }: RestoreDone): string[] {
  return [
    `${count(rows)} rows of ${count(tables)} tables restored, as of ${made_at}.`,
    removals === null
      ? "Removals since then are not known. Import the newest export of the removal list before you start the service."
      : `${countOf(removals.requests, "removal request")} merged; ${changeOfRemoved(removals.businesses)}`,
  ];
}

export const recoveredCommand = (): Command =>
  reporting(
    new Command("recovered")
      .description(
        "After PostgreSQL recovered to a time: give no number again that was given since that time",
      )
      .option(
        "--skip <numbers>",
        "more than were given of any kind since then: events, versions, endpoints, keys",
        "1000000",
      )
      .addHelpText(
        "after",
        `
Stop every process first, and run it before the first one starts. Then a cursor that a customer got after the time still
finds every new event, and no copy takes a new version for one that it knows. Twice does no harm.`,
      ),
    async (context, { skip }: { skip: string }) => {
      const numbers = wholeNumberFrom("--skip", skip, 1, 100_000_000);
      const sequences = await skipNumbers(context, numbers);
      const sentence = `${count(sequences.length)} kinds of numbers go on ${count(numbers)} further.`;
      return { value: { sequences }, lines: [sentence, "Import the newest export of the removal list now."] };
    },
    { connectionsNamed: RESTORE_CONNECTIONS },
  );
