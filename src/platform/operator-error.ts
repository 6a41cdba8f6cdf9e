/** An error for the person who runs a command: one sentence that says what was wrong and what to do. */
export class OperatorError extends Error {
  override readonly name = "OperatorError";
}
