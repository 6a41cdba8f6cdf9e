import path from "node:path";
import { OperatorError } from "../../platform/operator-error.ts";

/**
 * A refused import; only the staging tables have changed. `checkName` is the check that an operator can override with
 * `--accept`, null when the file is broken.
 */
export class Refusal extends OperatorError {
  readonly checkName: string | null;
  /** Every check that failed. */
  readonly checkNames: readonly string[];

  constructor(message: string | { message: string; kept: string }, ...checkNames: readonly string[]) {
    const said = typeof message === "string" ? { message, kept: message } : message;
    super(said.message, { solution: "a-decision", kept: said.kept });
    this.checkName = checkNames[0] ?? null;
    this.checkNames = checkNames;
  }
}

/** What is thrown when a file of the folder can't be read: a Refusal for an error of the file system, else the error itself. */
export function unreadable(file: string, error: unknown): unknown {
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (syscall === undefined) return error;
  return new Refusal(
    `${path.basename(file)} can't be read (${code}); see that it is there, that this user may read it and that nothing ` +
      "changes the folder meanwhile.",
  );
}
