import { Command } from "commander";
import { servedFeeds } from "../../feeds/versions/feeds-list.ts";
import type { EntryContext } from "../../platform/context.ts";
import { openFile, writeFileWhole } from "../../platform/operator-file.ts";
import { countOf } from "../../platform/plural.ts";
import { stoppable } from "../../platform/stop-signals.ts";
import { exportRemovals } from "../../suppression/transfer/export.ts";
import { restoreRemovals } from "../../suppression/transfer/import.ts";
import { count } from "../terminal/print.ts";
import { changing, withContext } from "../terminal/reporting.ts";
import { changeOfRemoved } from "./change-of-removed.ts";

export const removalExportCommand = (): Command =>
  new Command("export")
    .argument("[file]", "file to write; by default standard output")
    .description("Write the whole removal list as lines of JSON; keep it apart from the database's backups")
    .addHelpText("after", "\nThe file holds phone numbers and e-mail addresses. Let nobody else read it.")
    .action((file: string | undefined) =>
      withContext(async (context) => {
        if (file === undefined) {
          await exportRemovals(context, async (lines) => writeOut(lines));
          return;
        }
        const requests = await exportToFile(context, file);
        process.stderr.write(`${countOf(requests, "request")} written to ${file}.\n`);
      }),
    );

// The command line tells of an output that can't be written, and not of a reader that has enough.
const writeOut = (lines: readonly string[]): Promise<void> =>
  new Promise((resolve) => {
    process.stdout.write(textOf(lines), () => resolve());
  });

const textOf = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join("");

const exportToFile = (context: EntryContext, file: string): Promise<number> =>
  stoppable((signal) =>
    writeFileWhole({ file, what: "export", signal }, async (handle) => {
      // Not `write`: on a disk with little room, that may write only a part and say nothing.
      const requests = await exportRemovals(context, (lines) => handle.appendFile(textOf(lines)));
      await handle.sync();
      return requests;
    }),
  );

export const removalImportCommand = (): Command =>
  changing(
    new Command("import")
      .argument("<file>", "file that `removal export` wrote")
      .description("Merge an exported removal list into the database; importing it again changes nothing")
      .addHelpText(
        "after",
        `
After you restored a backup, import the newest export before the service starts. Otherwise businesses that were removed
since the backup come back. When the two lists differ about a request, the later decision counts.`,
      ),
    async (context, file: string) => {
      const handle = await openFile(file);
      try {
        const restored = await restoreRemovals(context, servedFeeds, handle.readLines());
        const sentence =
          `${countOf(restored.requests, "request")} read, ${count(restored.unknown)} of them new here; ` +
          changeOfRemoved(restored.businesses);
        return { value: restored, lines: [sentence] };
      } finally {
        await handle.close();
      }
    },
  );
