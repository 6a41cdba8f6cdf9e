import { createInterface } from "node:readline/promises";

/** Whether a person at a terminal can be asked. */
export const canAsk = (): boolean => process.stdin.isTTY === true && process.stderr.isTTY === true;

/** Asks a question on the terminal. Returns true for y or yes, false for anything else. */
export async function confirm(question: string): Promise<boolean> {
  // The question goes to standard error, so that output can be piped.
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const closed = new Promise<string>((resolve) => terminal.once("close", () => resolve("")));
  try {
    const answer = await Promise.race([terminal.question(`${question} [y/N] `), closed]);
    return /^y(es)?$/i.test(answer.trim());
  } finally {
    terminal.close();
  }
}
