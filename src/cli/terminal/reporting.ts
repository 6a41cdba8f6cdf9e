import type { Command } from "commander";
import { configFrom, readEnvironment } from "../../platform/config/config.ts";
import type { EntryContext } from "../../platform/context.ts";
import { type OpenOptions, openContext, SHORT_WAIT } from "../../platform/opening/open-context.ts";
import { type LoggedCommand, logged } from "../../platform/operator-log/operator-log.ts";
import { EXIT } from "./exit-status.ts";

/** What a command prints: a value with --json, otherwise lines for a person to read. */
export interface Report {
  value: unknown;
  lines: readonly string[];
  /** Why what it shows would be refused, a sentence each. The command then exits as a refused one does. */
  refusals?: readonly string[];
}

/** Adds --json to a command. The report of `run` is printed when it has ended. */
export const printing = <Given extends unknown[]>(
  command: Command,
  run: (...given: Given) => Promise<Report>,
): Command =>
  command.option("--json", "print as JSON").action(async (...given) => {
    print(command, await run(...(given as unknown[] as Given)));
  });

/** The same for a command that needs a context. `run` gets it, open, before the command's arguments and options. */
export const reporting = <Given extends unknown[]>(
  command: Command,
  run: (context: EntryContext, ...given: Given) => Promise<Report>,
  options: OpenOptions = {},
): Command =>
  command.option("--json", "print as JSON").action((...given) =>
    withContext(async (context) => {
      print(command, await run(context, ...(given as unknown[] as Given)));
    }, options),
  );

/** The same for a command that changes something: the log of operators names it. */
export const changing = <Given extends unknown[]>(
  command: Command,
  run: (context: EntryContext, ...given: Given) => Promise<Report>,
): Command =>
  reporting(command, (context, ...given: Given) =>
    logged(context, asLogged(command), () => run(context, ...given)),
  );

/** Options whose values name people, who may ask to be forgotten: the log is kept for ever. */
const PERSONAL = new Set(["name", "email", "note", "reason"]);

/** A command with its arguments and options, as the log of operators names it. */
export function asLogged(command: Command): LoggedCommand {
  const names: string[] = [];
  for (let each: Command | null = command; each?.parent; each = each.parent) names.unshift(each.name());
  const options = command.options.flatMap((option) => {
    const name = option.attributeName();
    const isGiven = command.getOptionValueSource(name) === "cli" && name !== "json";
    if (!isGiven) return [];
    const value: unknown = command.getOptionValue(name);
    if (value === true) return [`--${option.name()}`];
    return [`--${option.name()}`, PERSONAL.has(name) ? "…" : [value].flat().join(" ")];
  });
  return { command: names.join(" "), words: [...command.args, ...options] };
}

function print(command: Command, { value, lines, refusals = [] }: Report): void {
  const shown = command.opts().json ? [JSON.stringify(value, null, 2)] : lines;
  process.stdout.write(`${shown.join("\n")}\n`);
  if (refusals.length === 0) return;
  process.stderr.write(refusals.map((sentence) => `${sentence}\n`).join(""));
  process.exitCode = EXIT.refused;
}

/** Opens a context, runs a command with it, and always closes it. */
export async function withContext(
  run: (context: EntryContext) => Promise<void>,
  options: OpenOptions = {},
): Promise<void> {
  const config = configFrom(readEnvironment());
  // The user wants to read the command's output. The log adds only warnings.
  const logLevel = config.logLevel === "info" ? "warn" : config.logLevel;
  const { context, close } = await openContext(
    { ...config, logLevel },
    {},
    {
      ...SHORT_WAIT,
      isCommand: true,
      ...options,
    },
  );
  try {
    await run(context);
  } finally {
    await close();
  }
}
