import { SingleBar } from "cli-progress";
import { Command } from "commander";
import { type ImportProgress, importFolder } from "../../importer/import.ts";
import { OperatorError } from "../../platform/operator-error.ts";
import { dayFrom } from "../arguments.ts";
import { count, print } from "../print.ts";
import { withContext } from "../with-context.ts";
import { changeLines } from "./change-lines.ts";
import { importListCommand, importShowCommand } from "./import-runs.ts";
import { originLines } from "./origin-lines.ts";
import { reportLines } from "./report-lines.ts";

interface ImportFlags {
  dir?: string;
  preview?: boolean;
  asOf?: string;
  difference?: boolean;
  accept: string[];
  replaceDemo?: boolean;
  json?: boolean;
}

export function importCommand(): Command {
  const command = new Command("import")
    // In `import list --json`, the option belongs to `list`.
    .enablePositionalOptions()
    .description("Import one folder of official registry files and publish a new version of every feed")
    .option("--dir <folder>", "folder with the files; the program recognises them by their header")
    .option("--as-of <date>", "the day that the files are for, YYYY-MM-DD; turns on the check of their age")
    .option("--difference", "the Motus files are daily differences: a row missing from them is not deleted")
    .option("--accept <check...>", "override checks by the names that a refusal prints", [])
    .option(
      "--replace-demo",
      "first delete the demo's registry, feeds, events and their deliveries, in a database that holds the demo",
    )
    .option("--preview", "print what the import would do, and change nothing")
    .option("--json", "print the report as JSON")
    .addHelpText(
      "after",
      `
An import that looks wrong is refused with one sentence, and the served feeds do not change. Reasons are: a file is cut
off, lacks a column or lost rows; values or date formats are unknown (unknown-values:…, date-format:…); files contradict
each other (sources-disagree) or are old (old-file:…, older-than-before); a feed would change far more than on one day
(feed-jump:…); there would be far more events than usual (event-surge). --accept takes the names that a refusal prints.
--preview shows the result first. Importing the same files again changes nothing.

"import list" and "import show RUN" show what each import did.`,
    )
    .action((flags: ImportFlags) =>
      withContext(async (context) => {
        if (flags.dir === undefined) throw new OperatorError("Name the folder with the files: --dir FOLDER.");
        const dir = flags.dir;
        const progress = progressLine();
        try {
          const report = await importFolder(context, {
            dir,
            isPreview: flags.preview ?? false,
            asOf: flags.asOf === undefined ? null : dayFrom("--as-of", flags.asOf),
            isDifference: flags.difference ?? false,
            accept: new Set(flags.accept),
            replaceDemo: flags.replaceDemo ?? false,
            onProgress: progress.show,
          });
          progress.end();
          print(report, flags, () => [
            ...reportLines(report),
            "",
            ...originLines(report.feeds),
            ...changeLines(report.feeds),
          ]);
        } finally {
          progress.end();
        }
      }),
    );
  command.addCommand(importListCommand());
  command.addCommand(importShowCommand());
  return command;
}

/** Shows progress: a bar for each file, a line for each later step. On standard error, so that output can be piped. */
function progressLine(): { show(progress: ImportProgress): void; end(): void } {
  const stream = process.stderr;
  if (!stream.isTTY) return { show: plainLine(), end: () => {} };
  const bar = new SingleBar({
    format: "{what} {bar} {percentage}%  {rows}",
    stream,
    hideCursor: true,
    clearOnComplete: true,
  });
  let current = "";
  return {
    show: (progress) => {
      const what = describe(progress);
      const size = progress.step === "read" ? progress.sizeBytes : 1;
      if (what !== current) {
        bar.stop();
        bar.start(size, 0, { what, rows: "" });
        current = what;
      }
      if (progress.step === "read")
        bar.update(progress.readBytes, { what, rows: `${count(progress.rows)} rows` });
    },
    end: () => bar.stop(),
  };
}

function plainLine(): (progress: ImportProgress) => void {
  const shown = new Set<string>();
  return (progress) => {
    const what = describe(progress);
    if (!shown.has(what)) process.stderr.write(`${what} …\n`);
    shown.add(what);
  };
}

function describe(progress: ImportProgress): string {
  if (progress.step === "read") return `reading ${progress.file}`;
  if (progress.step === "detect") return "detecting events";
  return progress.step === "merge" ? `merging ${progress.table}` : `building ${progress.feed}`;
}
