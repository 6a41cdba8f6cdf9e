import { SingleBar } from "cli-progress";
import { Command } from "commander";
import { type ImportProgress, importFolder } from "../../importer/import.ts";
import { OperatorError } from "../../platform/operator-error.ts";
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
    // `import list --json`: the option is that of `list`.
    .enablePositionalOptions()
    .description("Import one folder of official registry files and publish a new version of every feed")
    .option("--dir <folder>", "folder with the files; they are recognised by their header, not by name")
    .option(
      "--as-of <date>",
      "the day the files are read for, YYYY-MM-DD; turns on the check of the files' age",
    )
    .option(
      "--difference",
      "the folder's Motus files are daily differences: nothing goes because it is not in them",
    )
    .option("--accept <check...>", "override a check by the name printed with its refusal", [])
    .option(
      "--replace-demo",
      "clear the demo's registry, feeds, events and their deliveries first, in a database that holds the demo",
    )
    .option("--preview", "do everything but keep it: print what the import would do, and change nothing")
    .option("--json", "print the report as JSON")
    .addHelpText(
      "after",
      `
What looks wrong is refused with one sentence, and what is served does not change: a file that is cut off, lacks a column
or lost rows; values or date formats that are not known (unknown-values:…, date-format:…); files that contradict each
other (sources-disagree) or are old (old-file:…, older-than-before); feeds that would change far more than in a day
(feed-jump:…); far more events than usual (event-surge). --accept takes the name that a refusal prints. Look before with
--preview. Importing the same files again changes nothing.

"import list" and "import show RUN" tell what each import did.`,
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
            asOf: flags.asOf === undefined ? null : dayFrom(flags.asOf),
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

function dayFrom(text: string): string {
  const day = new Date(`${text}T00:00:00Z`);
  if (/^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text))
    return text;
  throw new OperatorError(`--as-of must be a date like 2026-11-20, not "${text}".`);
}

/** A bar for each file that is read, a line for each step after it; on standard error, so that output can be piped. */
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
