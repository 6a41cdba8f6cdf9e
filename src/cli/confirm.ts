import { createInterface } from "node:readline/promises";

/** Whether a person sits in front of the command, who can be asked. */
export const canAsk = (): boolean => process.stdin.isTTY === true && process.stderr.isTTY === true;

/** Asks a yes-or-no question on the terminal; anything but y or yes is no. */
export async function confirm(question: string): Promise<boolean> {
  // On standard error, so that output can be piped.
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const closed = new Promise<string>((resolve) => terminal.once("close", () => resolve("")));
  try {
    const answer = await Promise.race([terminal.question(`${question} [y/N] `), closed]);
    return /^y(es)?$/i.test(answer.trim());
  } finally {
    terminal.close();
  }
}
