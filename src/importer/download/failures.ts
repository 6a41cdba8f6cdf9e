import path from "node:path";
import { OperatorError, solutionOf } from "../../platform/operator-error.ts";
import type { Fetching } from "./one-try.ts";

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

/** The portal does not give the file at an address: it moved, or the portal wants a token. */
export class NotOffered extends Error {
  override readonly name = "NotOffered";
}

const OF_DISK = new Set("ENOSPC EDQUOT EFBIG EACCES EPERM EROFS EISDIR ENOTDIR ENOENT EIO EMFILE".split(" "));
const OF_CERTIFICATE = /CERT|SELF_SIGNED|UNABLE_TO_VERIFY/;

/** The error for a failed try: OperatorError for a full disk or an untrusted certificate, else PassingFailure. */
export function causeOf(
  error: unknown,
  { what, url, paths }: Pick<Fetching, "what" | "url" | "paths">,
): Error {
  const { code = "", cause } = error as NodeJS.ErrnoException & { cause?: NodeJS.ErrnoException };
  if (OF_DISK.has(code)) {
    const dir = path.dirname(paths.file);
    return new OperatorError(
      `${what}: could not write into ${dir} (${code}); make room or choose another --out.`,
      { solution: solutionOf({ code }) },
    );
  }
  const networkCode = cause?.code ?? code;
  if (OF_CERTIFICATE.test(networkCode)) {
    return new OperatorError(
      `${what}: the certificate of ${new URL(url).host} is not trusted (${networkCode}); a private authority comes in by NODE_EXTRA_CA_CERTS.`,
    );
  }
  return new PassingFailure(`the connection broke off (${networkCode || (error as Error).message})`, {
    cause: error,
  });
}
