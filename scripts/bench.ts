// `npm run bench` measures the service as ratios against its limits, in one run. --help explains the options.
import { readFile } from "node:fs/promises";
import { configFrom, readEnvironment } from "../src/platform/config/config.ts";
import { OperatorError } from "../src/platform/operator-error.ts";
import { cleanUp } from "./bench/frame/clean.ts";
import { namedOf, type RunFlags, runCommand, runCommandLine, writeReport } from "./bench/frame/command.ts";
import type { BenchReport } from "./bench/frame/report.ts";
import { sizesOf } from "./bench/frame/sizes.ts";
import { MEASURES } from "./bench/measures.ts";
import { runMeasures } from "./bench/run-measures.ts";
import { reportLines } from "./bench/table.ts";

interface Flags extends RunFlags {
  only?: string[];
  complete?: true;
  clean?: true;
}

const command = runCommand(
  "bench",
  "Measure the service against its limits, taking turns, and print one table",
)
  .option("--only <name...>", `only these measures: ${MEASURES.map(({ name }) => name).join(", ")}`)
  .option("--complete", "keep what the --json file has of a run that ended early, and measure the rest")
  .option("--clean", "remove the generated registries and the database that runs keep under DATA_DIR/bench")
  .action(run);

async function run(flags: Flags): Promise<void> {
  if (flags.clean) {
    await cleanUp(configFrom(readEnvironment()));
    return;
  }
  const { json, complete = false } = flags;
  if (complete && json === undefined)
    throw new OperatorError("--complete needs --json: the file to complete.");
  const report = await runMeasures(sizesOf(flags), {
    measures: namedOf(MEASURES, flags.only),
    begun: complete && json !== undefined ? await begunReport(json) : null,
    onMeasured: (soFar) => writeReport(flags, soFar),
  });
  process.stdout.write(`${reportLines(report).join("\n")}\n`);
  await writeReport(flags, report);
  if (report.measures.some(({ verdict }) => verdict === "not measured")) process.exitCode = 1;
}

/** The report of a run that ended early; null if it wrote none. */
async function begunReport(file: string): Promise<BenchReport | null> {
  const text = await readFile(file, "utf8").catch(() => null);
  return text === null ? null : (JSON.parse(text) as BenchReport);
}

await runCommandLine(command);
