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
