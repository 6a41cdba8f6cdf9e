import { SingleBar } from "cli-progress";
import { Command } from "commander";
import { type ImportProgress, importFolder } from "../importer/import.ts";
import type { ImportReport } from "../importer/runs.ts";
import { OperatorError } from "../platform/operator-error.ts";
import { originLines } from "./origin-lines.ts";
import { count, print, table } from "./print.ts";
import { withContext } from "./with-context.ts";

interface ImportFlags {
  dir: string;
  asOf?: string;
  difference?: boolean;
  accept: string[];
  replaceDemo?: boolean;
  json?: boolean;
}

export function importCommand(): Command {
  return new Command("import")
    .description("Import one folder of official registry files and publish a new version of every feed")
    .requiredOption(
      "--dir <folder>",
      "folder with the files; they are recognised by their header, not by name",
    )
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
      "clear the demo's registry, feeds and events first, in a database that holds the demo",
    )
    .option("--json", "print the report as JSON")
    .addHelpText(
      "after",
      `
A file that is cut off, lacks a column or shrank too far is refused with one sentence; what is served does not change.
Importing the same files again changes nothing.`,
    )
    .action((flags: ImportFlags) =>
      withContext(async (context) => {
        const progress = progressLine();
        try {
          const report = await importFolder(context, {
            dir: flags.dir,
            asOf: flags.asOf === undefined ? null : dayFrom(flags.asOf),
            isDifference: flags.difference ?? false,
            accept: new Set(flags.accept),
            replaceDemo: flags.replaceDemo ?? false,
            onProgress: progress.show,
          });
          progress.end();
          print(report, flags, () => [...reportLines(report), "", ...originLines(report.feeds)]);
        } finally {
          progress.end();
        }
      }),
    );
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

/** An import's report as an operator reads it; `tdf status` shows the same. */
export function reportLines(report: ImportReport): string[] {
  const notes = report.files.flatMap((file) =>
    [...Object.entries(file.rejected), ...Object.entries(file.repaired)].map(
      ([reason, rows]) => `  ${file.file}: ${count(rows)} ${reason}`,
    ),
  );
  const changed = Object.entries(report.changes).map(([name, { inserted, updated, deleted }]) => [
    name,
    inserted,
    updated,
    deleted,
  ]);
  return [
    `Import ${report.run}: registry as of ${report.asOf}, ${report.seconds} s`,
    "",
    ...table(
      ["file", "dataset", "rows", "kept", "repeated", "newest"],
      report.files.map((file) => [
        file.file,
        file.dataset,
        file.rowsRead,
        file.kept,
        file.duplicates,
        file.newestRowOn ?? "–",
      ]),
    ),
    ...(notes.length > 0 ? ["", "Left out or repaired:", ...notes] : []),
    ...(report.skipped.length > 0 ? ["", "Not read:"] : []),
    ...report.skipped.map(({ file, why }) => `  ${file}: ${why}`),
    "",
    ...table(["registry table", "new", "changed", "gone"], changed),
    "",
    ...table(
      ["feed", "version", "rows before", "rows now", ""],
      report.feeds.map((feed) => [
        feed.feed,
        feed.version,
        feed.rowsBefore ?? "–",
        feed.rowsAfter,
        feed.isNew ? "published" : "unchanged",
      ]),
    ),
    "",
    `Revocations pending: ${count(report.pendingRevocations)}`,
    ...(Object.keys(report.events).length === 0 ? ["Events: none"] : ["Events:"]),
    ...Object.entries(report.events).map(([type, events]) => `  ${count(events)} ${type}`),
    ...removalLines(report),
  ];
}

function removalLines({ removals }: ImportReport): string[] {
  const { businesses = 0, waiting = 0 } = removals ?? {};
  return [
    ...(businesses > 0 ? [`Removed as requested before: ${count(businesses)} more businesses`] : []),
    ...(waiting > 0 ? [`Removals that wait for an operator now (removal review): ${count(waiting)}`] : []),
  ];
}
