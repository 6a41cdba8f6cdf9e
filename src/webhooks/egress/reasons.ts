/** Why a delivery failed, as far as anyone is told: so coarse that nothing can be learned of a network by it. */
export type FailureReason =
  | "address_not_allowed"
  | "connection_failed"
  | "tls_failed"
  | "timed_out"
  | "answer_not_2xx"
  | "answer_too_large";
