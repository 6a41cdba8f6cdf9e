// Reads what a person typed as an argument or option. Each function throws an OperatorError that says what to type.
import { resolve } from "node:path";
import { type Command, Option } from "commander";
import { isDay } from "../../platform/clock.ts";
import { OperatorError } from "../../platform/operator-error.ts";
import { instantMs } from "../../platform/rfc3339.ts";

/** Refuses an option whose value was left out, so that the option after it was taken for the value. */
export function requireOwnValues(command: Command): void {
  const names = ["--help", ...command.options.map(({ long }) => long)];
  const isOption = (text: string) => names.includes(text.split("=", 1)[0] ?? "");
  for (const option of command.options) {
    const values = [command.getOptionValue(option.attributeName())].flat();
    const next = values.find((value) => typeof value === "string" && isOption(value));
    if (next === undefined) continue;
    throw new OperatorError(
      `${option.long} needs a value, but "${next}", which is an option itself, comes next.`,
    );
  }
}

/** Reads the whole number of an option. */
export function wholeNumberFrom(option: string, text: string, least: number, most: number): number {
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= least && value <= most) return value;
  throw new OperatorError(`${option} is "${text}": give a whole number from ${least} to ${most}.`);
}

const LARGEST_LIMIT = 1_000;

/** The option --limit of a command that lists; `limitFrom` reads it. */
export const limitOption = (): Option =>
  new Option("--limit <number>", `how many at most, up to ${LARGEST_LIMIT}`).default("20");

export const limitFrom = (text: string): number => wholeNumberFrom("--limit", text, 1, LARGEST_LIMIT);

/** Reads the day of an option. */
export function dayFrom(option: string, text: string): string {
  if (isDay(text)) return text;
  throw new OperatorError(`${option} is "${text}": give a day of the calendar like 2026-11-20.`);
}

/** Reads the time of an option, or its day, which begins at 0:00 UTC. */
export function timeFrom(option: string, text: string): Date {
  const time = instantMs(isDay(text) ? `${text}T00:00:00Z` : text);
  if (time !== null) return new Date(time);
  throw new OperatorError(
    `${option} is "${text}": give a date like 2026-11-20 or a time like 2026-11-20T06:00:00Z.`,
  );
}

/** Reads the folder of an option, as an absolute path. An empty text, as of a variable that is not set, is no folder. */
export function folderFrom(option: string, text: string): string {
  if (text.trim() !== "") return resolve(text);
  throw new OperatorError(`${option} is empty: name a folder.`);
}

/** Reads a USDOT number. */
export function usdotFrom(text: string): number {
  if (/^0*[1-9]\d{0,7}$/.test(text)) return Number(text);
  throw new OperatorError(`"${text}" is no USDOT number: give 1 to 8 digits.`);
}

export const accountIdFrom = (text: string): number => idFrom(text, "An account", "account list");

export const endpointIdFrom = (text: string): number => idFrom(text, "An endpoint", "webhook list");

export const importIdFrom = (text: string): number => idFrom(text, "An import", "import list");

/** Reads the numbers of removal requests, each once. */
export const requestIdsFrom = (words: readonly string[]): number[] => [
  ...new Set(words.map((word) => idFrom(word, "A removal request", "removal list", 15))),
];

function idFrom(text: string, what: string, command: string, mostDigits = 9): number {
  if (/^[1-9]\d*$/.test(text) && text.length <= mostDigits) return Number(text);
  throw new OperatorError(`${what} is named by its number, not "${text}"; "${command}" shows the numbers.`);
}
