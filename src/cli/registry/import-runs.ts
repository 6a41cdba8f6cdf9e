import { Command } from "commander";
import { type ImportRun, listRuns, readRun } from "../../importer/runs.ts";
import { importIdFrom, limitFrom, limitOption } from "../arguments.ts";
import { count, print, table } from "../print.ts";
import { withContext } from "../with-context.ts";
import { changeLines } from "./change-lines.ts";
import { originLines } from "./origin-lines.ts";
import { reportLines } from "./report-lines.ts";

export function importListCommand(): Command {
  return new Command("list")
    .description("Show the newest imports with outcome, rows and events")
    .addOption(limitOption())
    .option("--json", "print as JSON")
    .action((flags: { limit: string; json?: boolean }) =>
      withContext(async (context) => {
        const runs = await listRuns(context, limitFrom(flags.limit));
        print(runs.map(summaryOf), flags, () =>
          runs.length === 0
            ? ["No import yet. Import a folder of registry files: `tdf import --dir FOLDER`."]
            : table(
                ["import", "started", "status", "as of", "rows now", "events", "why"],
                runs.map((run) => {
                  const { rows, events } = summaryOf(run);
                  return [
                    run.id,
                    run.startedAt.toISOString(),
                    run.status,
                    run.asOf ?? "–",
                    rows === null ? "–" : count(rows),
                    events === null ? "–" : count(events),
                    run.refusal ?? "",
                  ];
                }),
              ),
        );
      }),
    );
}

export function importShowCommand(): Command {
  return new Command("show")
    .description(
      "Show one import: its files with their SHA-256, unexpected input, and the changes of each feed",
    )
    .argument("<run>", "number of the import, as `import list` shows it")
    .option("--json", "print as JSON")
    .action((id: string, flags: { json?: boolean }) =>
      withContext(async (context) => {
        const run = await readRun(context, importIdFrom(id));
        print(run, flags, () => [
          `Import ${run.id}: ${run.status}, started ${run.startedAt.toISOString()}` +
            `${run.finishedAt ? `, finished ${run.finishedAt.toISOString()}` : ""}`,
          `Folder: ${run.folder}`,
          ...(run.refusal ? [`Why: ${run.refusal}`] : []),
          ...(run.report
            ? [
                "",
                ...reportLines(run.report),
                "",
                ...table(
                  ["file", "SHA-256"],
                  run.report.files.map(({ file, sha256 }) => [file, sha256 ?? "–"]),
                ),
                "",
                ...originLines(run.report.feeds),
                ...changeLines(run.report.feeds),
              ]
            : []),
        ]);
      }),
    );
}

/** A run with the rows of its feeds and its events, each as one sum. */
function summaryOf({ id, status, asOf, folder, startedAt, finishedAt, refusal, report }: ImportRun) {
  const sum = (counts: readonly number[]) => counts.reduce((all, one) => all + one, 0);
  return {
    id,
    status,
    as_of: asOf,
    folder,
    started_at: startedAt,
    finished_at: finishedAt,
    refusal,
    rows: report && sum(report.feeds.map(({ rowsAfter }) => rowsAfter)),
    events: report && sum(Object.values(report.events)),
  };
}
