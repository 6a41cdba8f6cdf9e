import { OperatorError } from "../../platform/operator-error.ts";

/**
 * A refused import; only the staging tables have changed. `checkName` is the check that an operator can override with
 * `--accept`, null when the file is broken.
 */
export class Refusal extends OperatorError {
  readonly checkName: string | null;

  constructor(message: string, checkName: string | null = null) {
    super(message);
    this.checkName = checkName;
  }
}
