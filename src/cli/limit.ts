import { Option } from "commander";
import { OperatorError } from "../platform/operator-error.ts";

const LARGEST_LIMIT = 1_000;

/** The option --limit of a command that lists; `limitFrom` reads it. */
export const limitOption = (): Option =>
  new Option("--limit <number>", `how many at most, up to ${LARGEST_LIMIT}`).default("20");

/** OperatorError for what is no number from 1 to 1000. */
export function limitFrom(text: string): number {
  if (/^\d{1,4}$/.test(text) && Number(text) >= 1 && Number(text) <= LARGEST_LIMIT) return Number(text);
  throw new OperatorError(`--limit is "${text}": give a whole number from 1 to ${LARGEST_LIMIT}.`);
}
