/** Why a delivery failed, as customers see it: too coarse to learn anything about the operator's network. */
export const FAILURE_REASONS = [
  "address_not_allowed",
  "connection_failed",
  "tls_failed",
  "timed_out",
  "answer_not_2xx",
  "answer_too_large",
] as const;
export type FailureReason = (typeof FAILURE_REASONS)[number];

/** A failed attempt with the reason that customers see. The real error is in `cause` and is never shown. */
export class SendFailure extends Error {
  override readonly name = "SendFailure";
  readonly reason: FailureReason;

  constructor(reason: FailureReason, cause?: unknown) {
    super(reason, { cause });
    this.reason = reason;
  }
}

/** The reason for an error that ended an attempt. */
export function reasonOf(error: unknown): FailureReason {
  if (error instanceof SendFailure) return error.reason;
  const { code } = error as NodeJS.ErrnoException;
  return code === "UND_ERR_HEADERS_OVERFLOW" ? "answer_too_large" : "connection_failed";
}
