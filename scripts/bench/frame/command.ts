import { Command, InvalidArgumentError } from "commander";
import { OperatorError } from "../../../src/platform/operator-error.ts";
import { writeIfChanged } from "../../generate/write-if-changed.ts";

/** Options of every run. */
export interface RunFlags {
  carriers?: number;
  rounds?: number;
  seed: number;
  json?: string;
  smoke?: true;
}

const wholeNumber = (text: string): number => {
  if (!/^\d{1,9}$/.test(text) || Number(text) < 1)
    throw new InvalidArgumentError("It must be a whole number.");
  return Number(text);
};

/** A command with the options of every run. */
export const runCommand = (name: string, description: string): Command =>
  new Command(name)
    .description(description)
    .option(
      "--carriers <count>",
      "size of the generated registry: 450000 unless given, the real one has 4500000",
      wholeNumber,
    )
    .option(
      "--rounds <count>",
      "how often each is measured in turn; the median counts (default: 5)",
      wholeNumber,
    )
    .option("--seed <number>", "another seed generates another registry", wholeNumber, 1)
    .option("--json <file>", "also write all results as JSON")
    .option("--smoke", "tiny sizes, no verdicts: shows within a minute that everything works")
    .addHelpText(
      "after",
      `
Runs on databases of its own: on an embedded PostgreSQL under DATA_DIR/bench, or on the server of DATABASE_URL, whose
other databases it leaves alone. Nothing else should run on the machine meanwhile.`,
    );

/** Runs a command line; an operator's mistake is one line. */
export async function runCommandLine(command: Command): Promise<void> {
  try {
    await command.parseAsync();
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
  }
}

/** Writes a report to the file of `--json`, if there is one. */
export async function writeReport({ json }: RunFlags, report: object): Promise<void> {
  if (json !== undefined) await writeIfChanged(json, `${JSON.stringify(report, null, 2)}\n`);
}

/** Those of `all` that are named; all without names. */
export function namedOf<T extends { name: string }>(
  all: readonly T[],
  names: readonly string[] = [],
): readonly T[] {
  const unknown = names.find((name) => !all.some((each) => each.name === name));
  if (unknown !== undefined) throw new OperatorError(`There is no "${unknown}"; --help names all.`);
  return names.length === 0 ? all : all.filter(({ name }) => names.includes(name));
}
