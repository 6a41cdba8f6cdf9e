/**
 * What solves it: another call or setting; a person who looks at what was refused; or the same call later, when somebody
 * else is done or a server answers again.
 */
type Solution = "another-call" | "a-decision" | "later";

/** An error for the person who runs a command: one sentence that says what was wrong and what to do. */
export class OperatorError extends Error {
  override readonly name = "OperatorError";
  readonly solution: Solution;

  constructor(
    message: string,
    { solution = "another-call", ...options }: ErrorOptions & { solution?: Solution } = {},
  ) {
    super(message, options);
    this.solution = solution;
  }
}
