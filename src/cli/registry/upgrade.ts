import { Command } from "commander";
import { importFolder } from "../../importer/import.ts";
import { findInputs } from "../../importer/recognise/dataset-inputs.ts";
import { configFrom, readEnvironment } from "../../platform/config/config.ts";
import { databaseUrlFrom } from "../../platform/config/settings.ts";
import { createLog } from "../../platform/log.ts";
import { requireCopy } from "../../platform/opening/addresses.ts";
import { openContext, SHORT_WAIT } from "../../platform/opening/open-context.ts";
import { OperatorError } from "../../platform/operator-error.ts";
import { dayFrom, folderFrom } from "../terminal/arguments.ts";
import { printing, type Report } from "../terminal/reporting.ts";
import { feedLines, reportLines } from "./report-lines.ts";

interface Asked {
  database: string;
  dir: string;
  asOf?: string;
}

export function upgradeCommand(): Command {
  const upgrade = new Command("upgrade").description("What an upgrade to this program would do");
  printing(
    upgrade
      .command("rehearse")
      .description("Migrate a copy of the database and preview the first import after the upgrade there")
      .requiredOption(
        "--database <address>",
        "the copy, such as a backup restored into a database of its own",
      )
      .requiredOption("--dir <folder>", "folder with registry files, as for import")
      .option("--as-of <date>", "the day that the files are for, as for import")
      .addHelpText(
        "after",
        `
The copy is migrated for good, and nothing else of it changes. The times are those of this machine. A refusal says what the
import would be refused for, with exit status 65.

Example:
  DATABASE_URL=postgresql://…/copy npm run -s tdf -- restore last.backup
  upgrade rehearse --database postgresql://…/copy --dir /srv/registry/today`,
      ),
    rehearse,
  );
  return upgrade;
}

async function rehearse({ database, dir, asOf }: Asked): Promise<Report> {
  const mistakes: string[] = [];
  const copy = databaseUrlFrom("--database", database, mistakes);
  if (copy === null) throw new OperatorError(`${mistakes[0] ?? "--database is empty"}.`);
  const config = configFrom(readEnvironment());
  // The copy is migrated for good, which measures how long that takes, so first what was typed.
  const files = {
    dir: folderFrom("--dir", dir),
    asOf: asOf === undefined ? null : dayFrom("--as-of", asOf),
  };
  await findInputs(files.dir, false);
  const waits = { log: createLog(config.logLevel), connectTimeoutMs: SHORT_WAIT.databaseWaitMs };
  await requireCopy({ setting: "--database", url: copy }, config, waits);
  const startedMs = performance.now();
  const opened = await openContext(
    { ...config, databaseUrl: copy, databaseDirectUrl: null, databaseReadUrl: null, logLevel: "warn" },
    {},
    SHORT_WAIT,
  );
  try {
    const migrated = seconds(startedMs);
    const report = await importFolder(opened.context, {
      ...files,
      accept: new Set(),
      isPreview: true,
    });
    const lines = [
      `The copy was migrated in ${migrated} s.`,
      "",
      ...reportLines(report),
      "",
      ...feedLines(report),
    ];
    const { refusals = [] } = report;
    return { value: { migrated_seconds: migrated, import: report }, lines, refusals };
  } finally {
    await opened.close();
  }
}

const seconds = (sinceMs: number): number => Math.round((performance.now() - sinceMs) / 100) / 10;
