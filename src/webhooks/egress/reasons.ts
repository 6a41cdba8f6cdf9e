/** Why a delivery failed, as far as anyone is told: so coarse that nothing can be learned of a network by it. */
export const FAILURE_REASONS = [
  "address_not_allowed",
  "connection_failed",
  "tls_failed",
  "timed_out",
  "answer_not_2xx",
  "answer_too_large",
] as const;
export type FailureReason = (typeof FAILURE_REASONS)[number];

/** An attempt's end, by the reason that is told. What lies behind it stays in `cause`, for nobody. */
export class SendFailure extends Error {
  override readonly name = "SendFailure";
  readonly reason: FailureReason;

  constructor(reason: FailureReason, cause?: unknown) {
    super(reason, { cause });
    this.reason = reason;
  }
}

/** The reason of whatever ended an attempt. */
export function reasonOf(error: unknown): FailureReason {
  if (error instanceof SendFailure) return error.reason;
  const { code } = error as NodeJS.ErrnoException;
  return code === "UND_ERR_HEADERS_OVERFLOW" ? "answer_too_large" : "connection_failed";
}
