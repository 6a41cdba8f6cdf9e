// `npm run bench` measures the service as ratios against its limits, in one run. --help explains the options.
import { writeFile } from "node:fs/promises";
import { Command, InvalidArgumentError } from "commander";
import { configFrom, readEnvironment } from "../src/platform/config/config.ts";
import { OperatorError } from "../src/platform/operator-error.ts";
import { cleanUp } from "./bench/clean.ts";
import { MEASURES } from "./bench/measures.ts";
import { runMeasures } from "./bench/run.ts";
import { sizesOf } from "./bench/sizes.ts";
import { reportLines } from "./bench/table.ts";

interface Flags {
  carriers?: number;
  rounds?: number;
  seed: number;
  only?: string[];
  json?: string;
  smoke?: true;
  clean?: true;
}

const wholeNumber = (text: string): number => {
  if (!/^\d{1,9}$/.test(text) || Number(text) < 1)
    throw new InvalidArgumentError("It must be a whole number.");
  return Number(text);
};

const command = new Command("bench")
  .description("Measure the service against its limits, taking turns, and print one table")
  .option(
    "--carriers <count>",
    "size of the generated registry: 450000 unless given, the real one has 4500000",
    wholeNumber,
  )
  .option(
    "--rounds <count>",
    "how often the service and its limit are measured in turn; the median counts (default: 5)",
    wholeNumber,
  )
  .option("--seed <number>", "another seed generates another registry", wholeNumber, 1)
  .option("--only <name...>", `only these measures: ${MEASURES.map(({ name }) => name).join(", ")}`)
  .option("--json <file>", "also write all results as JSON")
  .option("--smoke", "tiny sizes, no verdicts: shows within a minute that every measure works")
  .option("--clean", "remove the generated registries and the database that runs keep under DATA_DIR/bench")
  .addHelpText(
    "after",
    `
Runs on databases of its own: on an embedded PostgreSQL under DATA_DIR/bench, or on the server of DATABASE_URL, whose
other databases it leaves alone. Nothing else should run on the machine meanwhile.`,
  )
  .action(run);

async function run(flags: Flags): Promise<void> {
  const config = configFrom(readEnvironment());
  if (flags.clean) {
    await cleanUp(config);
    return;
  }
  const sizes = sizesOf({ ...flags, isSmoke: flags.smoke ?? false });
  const report = await runMeasures(config, sizes, chosen(flags.only));
  process.stdout.write(`${reportLines(report).join("\n")}\n`);
  if (flags.json !== undefined) await writeFile(flags.json, `${JSON.stringify(report, null, 2)}\n`);
  if (report.measures.some(({ verdict }) => verdict === "not measured")) process.exitCode = 1;
}

function chosen(names: string[] | undefined) {
  if (names === undefined) return MEASURES;
  const unknown = names.find((name) => !MEASURES.some((measure) => measure.name === name));
  if (unknown !== undefined) throw new OperatorError(`There is no measure "${unknown}"; --help names them.`);
  return MEASURES.filter(({ name }) => names.includes(name));
}

try {
  await command.parseAsync();
} catch (error) {
  if (!(error instanceof OperatorError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
