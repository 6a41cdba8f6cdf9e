/**
 * What solves it: another call or setting; a person who looks at what was refused; or the same call later, when somebody
 * else is done or a server answers again.
 */
type Solution = "another-call" | "a-decision" | "later";

/** Whether a disk, or a user's share of it, is full: the same call works later, when somebody has freed space. */
export const isDiskFull = ({ code = "" }: Pick<NodeJS.ErrnoException, "code">): boolean =>
  code === "ENOSPC" || code === "EDQUOT";

/** What solves an error of the file system. */
export const solutionOf = (error: Pick<NodeJS.ErrnoException, "code">): Solution =>
  isDiskFull(error) ? "later" : "another-call";

/** An error for the person who runs a command: one sentence that says what was wrong and what to do. */
export class OperatorError extends Error {
  override readonly name = "OperatorError";
  readonly solution: Solution;
  /** The sentence as it may be stored: without examples of businesses, which may be removed later. */
  readonly kept: string;

  constructor(
    message: string,
    {
      solution = "another-call",
      kept = message,
      ...options
    }: ErrorOptions & { solution?: Solution; kept?: string } = {},
  ) {
    super(message, options);
    this.solution = solution;
    this.kept = kept;
  }
}
