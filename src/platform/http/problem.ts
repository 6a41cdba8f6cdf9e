import { problems } from "../../generated/problems.ts";

/** A problem code of the contract (openapi.yaml, x-problems). */
export type ProblemCode = keyof typeof problems;

/** An error for a customer: a code of the contract and a sentence. Status and title come from the contract. */
export class ProblemError extends Error {
  override readonly name = "ProblemError";
  readonly code: ProblemCode;
  /** For Retry-After, in whole seconds; null when waiting does not help. */
  readonly retryAfterSeconds: number | null;
  /** Other headers that the contract declares for the problem. */
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    code: ProblemCode,
    detail: string,
    options: { retryAfterSeconds?: number; headers?: Readonly<Record<string, string>> } = {},
  ) {
    super(detail);
    this.code = code;
    this.retryAfterSeconds = options.retryAfterSeconds ?? null;
    this.headers = options.headers ?? {};
  }
}

/** The body of an RFC 9457 answer with the specification's five members. `publicUrl` is the address of the service. */
export function problemBody(publicUrl: string, code: ProblemCode, detail: string) {
  const { status, title } = problems[code];
  return { type: `${publicUrl}/problems/${code}`, title, status, detail, code };
}

export const statusOf = (code: ProblemCode): number => problems[code].status;
