import { SingleBar } from "cli-progress";
import { Command } from "commander";
import { makeBackup } from "../../backup/backup.ts";
import { count, print } from "../print.ts";
import { withContext } from "../with-context.ts";

export const backupCommand = (): Command =>
  new Command("backup")
    .argument("<file>", "file to write; one of that name is replaced when the backup is complete")
    .description("Write the whole database to one compressed file, while the service runs")
    .option("--json", "print as JSON")
    .addHelpText(
      "after",
      `
The file holds contacts, and secrets sealed with SECRETS_KEY. Let nobody else read it, and keep SECRETS_KEY elsewhere.
"tdf restore FILE" restores it.`,
    )
    .action((file: string, flags: { json?: boolean }) =>
      withContext(async (context) => {
        const stopping = new AbortController();
        const stop = () => stopping.abort();
        for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, stop);
        const progress = tableBar("writing");
        try {
          const made = await makeBackup(context, {
            file,
            signal: stopping.signal,
            onTable: progress.show,
          });
          progress.end();
          print(made, flags, () => [
            `${count(made.rows)} rows of ${count(made.tables)} tables written to ${file} (${count(made.size_bytes)} bytes).`,
          ]);
        } finally {
          progress.end();
          for (const signal of ["SIGINT", "SIGTERM"] as const) process.off(signal, stop);
        }
      }),
    );

/** A bar on a terminal that names the current table. */
export function tableBar(verb: string): {
  show(table: string, index: number, tables: number): void;
  end(): void;
} {
  const stream = process.stderr;
  if (!stream.isTTY) return { show: () => {}, end: () => {} };
  const bar = new SingleBar({
    format: "{what} {bar} {percentage}%",
    stream,
    hideCursor: true,
    clearOnComplete: true,
  });
  return {
    show: (table, index, tables) => {
      const what = `${verb} ${table}`;
      if (index === 0) bar.start(tables, 0, { what });
      else bar.update(index, { what });
    },
    end: () => bar.stop(),
  };
}
