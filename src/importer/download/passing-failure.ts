/** A failure that another try may solve: the network, a throttle, a server in trouble, a truncated file. */
export class PassingFailure extends Error {
  override readonly name = "PassingFailure";
  /** The wait that the server asked for; null when it did not say. */
  readonly retryAfterMs: number | null;

  constructor(message: string, options: { retryAfterMs?: number | null; cause?: unknown } = {}) {
    super(message, { cause: options.cause });
    this.retryAfterMs = options.retryAfterMs ?? null;
  }
}
