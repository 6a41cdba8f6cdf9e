import type { GeneratedDay } from "@trucking-data-feed/registry-generator";
import { HEADED_FILES } from "@trucking-data-feed/registry-generator/day-files";
import { Command } from "commander";
import { addDays, dayOf, systemClock } from "../../platform/clock.ts";
import { OperatorError } from "../../platform/operator-error.ts";
import { folderNotWritten } from "../../platform/operator-file.ts";
import { dayFrom, folderFrom, wholeNumberFrom } from "../terminal/arguments.ts";
import { count } from "../terminal/print.ts";
import { progressDisplay } from "../terminal/progress.ts";
import { printing } from "../terminal/reporting.ts";
import { generateRegistry } from "./made-up-registry.ts";

interface Options {
  out: string;
  carriers: string;
  seed: string;
  asOf?: string;
  days: string;
  differences?: true;
  addedColumn?: string;
  reordered?: string;
}

const HELP = `
Writes one folder per day (day-00, day-01 and so on), each with census.csv, oos_order.csv, the Motus files and the
frozen legacy files as the registry would publish them on that day. The last folder is for the day of --as-of. With
--differences each day but the first also has a folder with the Motus files' daily differences (day-01-difference and so
on). The same arguments always give the same bytes. Nothing in the files is real.

Example:
  registry generate --out /tmp/registry --carriers 100000 --days 2`;

export const registryGenerateCommand = (): Command =>
  printing(
    new Command("generate")
      .description("write a made-up registry in the official files' formats")
      .requiredOption("--out <dir>", "folder to write into; it is created if missing")
      .option("--carriers <count>", "companies in the census on the first day", "3000")
      .option("--seed <number>", "a different seed gives a different registry", "1")
      .option("--as-of <date>", "date of the last day, YYYY-MM-DD (default: today)")
      .option("--days <count>", "number of consecutive days", "1")
      .option("--differences", "also write the Motus files' daily differences")
      .option("--added-column <file>", "add an unknown column to that file")
      .option("--reordered <file>", "reverse the order of that file's columns")
      .addHelpText("after", HELP),
    async (options: Options) => {
      const outDir = folderFrom("--out", options.out);
      const days = wholeNumberFrom("--days", options.days, 1, 3660);
      const carriers = wholeNumberFrom("--carriers", options.carriers, 1, 20_000_000);
      const seed = wholeNumberFrom("--seed", options.seed, 0, 4_294_967_295);
      const asOf = options.asOf === undefined ? dayOf(systemClock.now()) : asOfDay(options.asOf);
      const { show, end } = progressDisplay({ onlyOnTerminal: true });
      try {
        const written = await generateRegistry({
          outDir,
          carriers,
          seed,
          firstDay: addDays(asOf, 1 - days),
          days,
          differences: options.differences === true,
          addedColumn: headedFile("--added-column", options.addedColumn),
          reordered: headedFile("--reordered", options.reordered),
          onProgress: (done, total) =>
            show({ what: "writing", done, total, detail: `${count(done)} of ${count(total)} carriers` }),
        });
        return { value: written, lines: written.flatMap(dayLines) };
      } catch (error) {
        throw await asOperatorError(error, options.out);
      } finally {
        end();
      }
    },
  );

function headedFile(name: string, file: string | undefined): string | undefined {
  if (file === undefined || HEADED_FILES.includes(file)) return file;
  throw new OperatorError(`${name} is "${file}": give one of ${HEADED_FILES.join(", ")}.`);
}

function asOfDay(text: string): string {
  const day = dayFrom("--as-of", text);
  if (day >= "2000-01-01" && day <= "2100-01-01") return day;
  throw new OperatorError(`--as-of is ${day}: give a day between 2000-01-01 and 2100-01-01.`);
}

const dayLines = ({ date, dir, files, difference }: GeneratedDay): string[] => [
  ...folderLines(date, dir, files),
  ...(difference ? folderLines(date, difference.dir, difference.files) : []),
];

const folderLines = (date: string, dir: string, files: GeneratedDay["files"]): string[] => [
  `${date}  ${dir}`,
  ...files.map(({ name, rows }) => `  ${name.padEnd(24)} ${String(rows).padStart(10)} rows`),
];

async function asOperatorError(error: unknown, dir: string): Promise<unknown> {
  const { code } = error as NodeJS.ErrnoException;
  return code === undefined ? error : folderNotWritten(dir, error as NodeJS.ErrnoException);
}
