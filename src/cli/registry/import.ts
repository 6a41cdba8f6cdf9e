import { Command } from "commander";
import { isCheckName } from "../../importer/checks/complaint.ts";
import { type ImportProgress, importFolder } from "../../importer/import.ts";
import { type ImportRun, listRuns, readRun } from "../../importer/runs.ts";
import { dayOf, HOUR_MS } from "../../platform/clock.ts";
import type { EntryContext } from "../../platform/context.ts";
import { OperatorError } from "../../platform/operator-error.ts";
import { logged } from "../../platform/operator-log/operator-log.ts";
import { raiseAlarms } from "../../watch/alarms.ts";
import { dayFrom, folderFrom, importIdFrom, limitFrom, limitOption } from "../terminal/arguments.ts";
import { count, separated, table } from "../terminal/print.ts";
import { type Progress, progressDisplay } from "../terminal/progress.ts";
import { asLogged, type Report, reporting } from "../terminal/reporting.ts";
import { feedLines, reportLines } from "./report-lines.ts";

interface ImportFlags {
  dir?: string;
  preview?: boolean;
  release?: boolean;
  asOf?: string;
  difference?: boolean;
  accept: string[];
  replaceDemo?: boolean;
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
      "first delete the demo's registry, feeds and events, in a database that holds the demo",
    )
    .option("--release", "end the rollbacks of feeds, which hold until then")
    .option("--preview", "print what the import would do, and change nothing")
    .addHelpText(
      "after",
      `
An import that looks wrong is refused with one sentence, and the served feeds do not change. Reasons are: a file is cut
off, lacks a column or lost rows; values or date formats are unknown (unknown-values:…, date-format:…); files contradict
each other (sources-disagree) or are old (old-file:…, older-than-before); a feed would change far more than on one day
(feed-jump:…); there would be far more events than usual (event-surge). --accept takes the names that a refusal prints.
--preview shows the result first, also of files that are refused. Importing the same files again changes nothing.
While a feed is rolled back, an import is refused unless --release is given.

The exit status decides what follows: 0 done; 65 refused, so a person decides and the same files are not imported again by
themselves; 75 another import runs or the database is away, so try again later; 2 a wrong call.

"import list" and "import show RUN" show what each import did.`,
    )
    .addCommand(importListCommand())
    .addCommand(importShowCommand());
  return reporting(command, (context, flags: ImportFlags) => {
    const overrides = flags.accept.length > 0 || flags.replaceDemo === true || flags.release === true;
    if (!overrides || flags.preview) return runImport(context, flags);
    return logged(context, asLogged(command), () => runImport(context, flags));
  });
}

async function runImport(
  context: EntryContext,
  { dir, asOf, accept, ...flags }: ImportFlags,
): Promise<Report> {
  if (dir === undefined) throw new OperatorError("Name the folder with the files: --dir FOLDER.");
  const { show, end } = progressDisplay();
  try {
    const report = await importFolder(context, {
      dir: folderFrom("--dir", dir),
      isPreview: flags.preview ?? false,
      previewsRefused: true,
      isRelease: flags.release ?? false,
      asOf: asOf === undefined ? null : begunDayFrom(context, asOf),
      isDifference: flags.difference ?? false,
      accept: checksFrom(accept),
      replaceDemo: flags.replaceDemo ?? false,
      onProgress: (progress) => show(shown(progress)),
    });
    const { refusals = [] } = report;
    return { value: report, lines: [...reportLines(report), "", ...feedLines(report)], refusals };
  } catch (error) {
    // A refusal is mailed at once. All else is found by a process of the service, which looks each minute: after a
    // publication it would only take processor time from the first readers. Nor is a failure here a loss.
    if (!flags.preview) await raiseAlarms(context).catch(() => {});
    throw error;
  } finally {
    end();
  }
}

/** How far the clocks of some islands are ahead of UTC. */
const EARLIEST_ZONE_MS = 14 * HOUR_MS;

/** Reads --as-of. Files of a day that has begun nowhere would make feeds that are fresh for longer than they are. */
function begunDayFrom({ clock }: EntryContext, text: string): string {
  const day = dayFrom("--as-of", text);
  const now = clock.now();
  if (day <= dayOf(new Date(now.getTime() + EARLIEST_ZONE_MS))) return day;
  throw new OperatorError(`--as-of is "${day}", a day that has not begun: today is ${dayOf(now)} (UTC).`);
}

/** Reads the names of --accept. A misspelled one would only show once the import is refused under the right one. */
function checksFrom(names: readonly string[]): ReadonlySet<string> {
  const unknown = names.find((name) => !isCheckName(name));
  if (unknown === undefined) return new Set(names);
  throw new OperatorError(
    `There is no check "${unknown}" to --accept; give the names that a refusal prints, such as shrinkage or old-file:census.`,
  );
}

function shown(progress: ImportProgress): Progress {
  switch (progress.phase) {
    case "read": {
      const { file, readBytes, sizeBytes, rows } = progress;
      return { what: `reading ${file}`, done: readBytes, total: sizeBytes, detail: `${count(rows)} rows` };
    }
    case "merge":
      return { what: `merging ${progress.table}` };
    case "detect":
      return { what: "detecting events" };
    case "preview":
      return { what: "refused; finding what it would change" };
    case "build":
      return { what: `building ${progress.feed}` };
  }
}

const importListCommand = (): Command =>
  reporting(
    new Command("list")
      .description("Show the newest imports with outcome, rows and events")
      .addOption(limitOption()),
    async (context, { limit }: { limit: string }) => {
      const runs = (await listRuns(context, limitFrom(limit))).map(summaryOf);
      const none = ["No import yet. Import a folder of registry files: `tdf import --dir FOLDER`."];
      return { value: runs, lines: runs.length === 0 ? none : table(HEADINGS, runs.map(cells)) };
    },
  );

const HEADINGS = ["import", "started", "status", "as of", "rows now", "events", "why"];

const cells = ({ rows, events, ...run }: RunSummary) => [
  run.id,
  run.started_at.toISOString(),
  run.status,
  run.as_of ?? "–",
  rows === null ? "–" : count(rows),
  events === null ? "–" : count(events),
  run.refusal ?? "",
];

const importShowCommand = (): Command =>
  reporting(
    new Command("show")
      .description(
        "Show one import: its files with their SHA-256, unexpected input, and the changes of each feed",
      )
      .argument("<run>", "number of the import, as `import list` shows it"),
    async (context, id: string) => {
      const run = await readRun(context, importIdFrom(id));
      return { value: run, lines: runLines(run) };
    },
  );

function runLines({ id, status, startedAt, finishedAt, folder, refusal, ...run }: ImportRun): string[] {
  const report = run.report ?? run.preview;
  const finished = finishedAt ? `, finished ${finishedAt.toISOString()}` : "";
  const first = [
    `Import ${id}: ${status}, started ${startedAt.toISOString()}${finished}`,
    `Folder: ${folder}`,
    ...(refusal ? [`Why: ${refusal}`] : []),
  ];
  if (!report) return first;
  const files = report.files.map(({ file, sha256 }) => [file, sha256 ?? "–"]);
  return [
    ...separated([first, reportLines(report), table(["file", "SHA-256"], files)]),
    "",
    ...feedLines(report),
  ];
}

type RunSummary = ReturnType<typeof summaryOf>;

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
