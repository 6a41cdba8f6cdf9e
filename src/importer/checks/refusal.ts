import { OperatorError } from "../../platform/operator-error.ts";

/**
 * Files that are not taken: nothing but the staging tables has changed. `checkName` is what `--accept` takes; null
 * when the file is broken and nothing can be accepted.
 */
export class Refusal extends OperatorError {
  readonly checkName: string | null;

  constructor(message: string, checkName: string | null = null) {
    super(message);
    this.checkName = checkName;
  }
}
