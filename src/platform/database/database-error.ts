/** PostgreSQL was not reachable, or not in time. The API answers 503 `unavailable`; `cause` is for the log. */
export class DatabaseUnavailableError extends Error {
  override readonly name = "DatabaseUnavailableError";
  /** The server's disk is full: nothing can be written until somebody frees space. */
  readonly isDiskFull: boolean;

  constructor(cause: unknown) {
    const isDiskFull = hasCode(cause, (code) => code === DISK_FULL);
    super(`The database ${isDiskFull ? "has no room on its disk" : "is not available"}: ${textOf(cause)}`, {
      cause,
    });
    this.isDiskFull = isDiskFull;
  }
}

const DISK_FULL = "53100";

/**
 * Turns a temporary error of pg or Prisma into a DatabaseUnavailableError: no connection, none free in time, server
 * stopping or starting, statement timeout, disk full. Returns every other error unchanged.
 */
export function toDatabaseError(error: unknown): unknown {
  if (error instanceof DatabaseUnavailableError) return error;
  return isUnavailable(error) ? new DatabaseUnavailableError(error) : error;
}

const UNAVAILABLE_CODES = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "EPIPE",
  "ETIMEDOUT",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  // Stopping, crashed, starting, idle session ended, database dropped.
  "57P01",
  "57P02",
  "57P03",
  "57P04",
  "57P05",
  // The server's disk or network storage failed to read or write.
  "58030",
  // A statement timeout, and a former primary that is now read-only.
  "57014",
  "25006",
  // Prisma: cannot reach, timed out, operation timed out, connection closed, no connection free, too many connections,
  // no transaction begun in time.
  "P1001",
  "P1002",
  "P1008",
  "P1017",
  "P2024",
  "P2037",
  "P2028",
]);

/** Connection exceptions, and insufficient resources: too many connections, disk full, out of memory. */
const UNAVAILABLE_CLASSES = /^(08|53)[0-9A-Z]{3}$/;

/**
 * Messages of pg and its pool that have no code, and of a socket that is not there or has too many who wait: files have
 * these codes, too.
 */
const UNAVAILABLE_MESSAGES =
  /^(connect (ENOENT|EAGAIN) |timeout exceeded when trying to connect|timeout expired|Query read timeout|Connection terminated|Client has encountered a connection error|Client was closed|Cannot use a pool after calling end)/m;

function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof AggregateError && error.errors.some(isUnavailable)) return true;
  if (hasCode(error, (code) => UNAVAILABLE_CODES.has(code) || UNAVAILABLE_CLASSES.test(code))) return true;
  return UNAVAILABLE_MESSAGES.test(error.message) || isUnavailable(error.cause);
}

const hasCode = (error: unknown, isMeant: (code: string) => boolean): boolean =>
  error instanceof Error && codesOf(error).some(isMeant);

/** The error's own code, and the server's code that Prisma keeps inside its own errors. */
function codesOf(error: Error): string[] {
  const codes: unknown[] = [];
  const visit = (value: unknown, depth: number) => {
    if (typeof value !== "object" || value === null || depth > 4) return;
    for (const name of ["code", "originalCode"]) codes.push(Reflect.get(value, name));
    for (const name of ["meta", "driverAdapterError", "cause"]) visit(Reflect.get(value, name), depth + 1);
  };
  visit(error, 0);
  return codes.filter((code) => typeof code === "string");
}

const textOf = (cause: unknown): string => {
  if (cause instanceof AggregateError) return cause.errors.map(textOf).join("; ");
  return cause instanceof Error ? cause.message : String(cause);
};

/** Whether the server refused something to the role (insufficient_privilege). */
export const hasNoRight = (error: unknown): boolean =>
  error instanceof Error && ((error as NodeJS.ErrnoException).code === "42501" || hasNoRight(error.cause));
