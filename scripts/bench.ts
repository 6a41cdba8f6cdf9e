// `npm run bench` measures the service as ratios against its limits, in one run. --help explains the options.
import { readFile } from "node:fs/promises";
import { Command, InvalidArgumentError } from "commander";
import type { PerformanceReport } from "../src/pages/performance/performance-report.ts";
import { configFrom, readEnvironment } from "../src/platform/config/config.ts";
import { OperatorError } from "../src/platform/operator-error.ts";
import { WORKS } from "./bench/capacity/capacity.ts";
import type { Work } from "./bench/capacity/work.ts";
import { cleanUp } from "./bench/clean.ts";
import { MEASURES } from "./bench/measures.ts";
import { runMeasures } from "./bench/run.ts";
import { sizesOf } from "./bench/sizes.ts";
import { reportLines } from "./bench/table.ts";
import { writeIfChanged } from "./generate/write-if-changed.ts";

interface Flags {
  carriers?: number;
  rounds?: number;
  seed: number;
  only?: string[];
  json?: string;
  complete?: true;
  capacity?: true | string[];
  peers?: true;
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
  .option(
    "--capacity [work...]",
    `measure the processor time of all work or of this: ${WORKS.map(({ name }) => name).join(", ")}; no measures but those of --only`,
  )
  .option(
    "--peers",
    "serve a feed by this service, Directus and Express with Prisma; no measures but those of --only",
  )
  .option("--json <file>", "also write all results as JSON, after each measure")
  .option("--complete", "keep what the --json file has of a run that ended early, and measure the rest")
  .option("--smoke", "tiny sizes, no verdicts: shows within a minute that every measure works")
  .option("--clean", "remove the generated registries and the database that runs keep under DATA_DIR/bench")
  .addHelpText(
    "after",
    `
--peers installs those programs by npm under DATA_DIR/bench/peers, about 1 GB, and keeps them there.

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
  const { capacity, peers: withPeers = false } = flags;
  const isTableAlone = (capacity !== undefined || withPeers) && flags.only === undefined;
  const measures = isTableAlone ? [] : chosen(flags.only);
  const { json, complete = false } = flags;
  if (complete && json === undefined)
    throw new OperatorError("--complete needs --json: the file to complete.");
  const write = async (report: PerformanceReport): Promise<void> => {
    if (json !== undefined) await writeIfChanged(json, `${JSON.stringify(report, null, 2)}\n`);
  };
  const report = await runMeasures(config, sizes, {
    measures,
    works: capacity === undefined ? null : worksNamed(capacity),
    withPeers,
    begun: complete && json !== undefined ? await begunReport(json) : null,
    onMeasured: write,
  });
  process.stdout.write(`${reportLines(report).join("\n")}\n`);
  await write(report);
  if (isIncomplete(report)) process.exitCode = 1;
}

/** The report of a run that ended early; null if it wrote none. */
async function begunReport(file: string): Promise<PerformanceReport | null> {
  const text = await readFile(file, "utf8").catch(() => null);
  return text === null ? null : (JSON.parse(text) as PerformanceReport);
}

const isIncomplete = ({ measures, capacity = [], peers = [] }: PerformanceReport): boolean =>
  measures.some(({ verdict }) => verdict === "not measured") ||
  capacity.some(({ measured }) => measured === null) ||
  peers.some(({ results }) => results.some(({ result }) => result === null));

function worksNamed(names: true | string[]): readonly Work[] {
  if (names === true) return WORKS;
  const unknown = names.find((name) => !WORKS.some((work) => work.name === name));
  if (unknown !== undefined) throw new OperatorError(`There is no work "${unknown}"; --help names all.`);
  return WORKS.filter(({ name }) => names.includes(name));
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
