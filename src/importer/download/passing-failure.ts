/** A failure that may be over at the next try: the network, a throttle, a server in trouble, a file cut off. */
export class PassingFailure extends Error {
  override readonly name = "PassingFailure";
  /** How long the server asked to be left alone; null when it did not say. */
  readonly retryAfterMs: number | null;

  constructor(message: string, options: { retryAfterMs?: number | null; cause?: unknown } = {}) {
    super(message, { cause: options.cause });
    this.retryAfterMs = options.retryAfterMs ?? null;
  }
}
