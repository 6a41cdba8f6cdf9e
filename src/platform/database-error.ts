/** PostgreSQL could not be asked, or not in time. The API answers 503 `unavailable`; `cause` is for the log. */
export class DatabaseUnavailableError extends Error {
  override readonly name = "DatabaseUnavailableError";

  constructor(cause: unknown) {
    super(`The database is not available: ${textOf(cause)}`, { cause });
  }
}

/**
 * Gives a DatabaseUnavailableError for what passes by itself (no connection, none free in time, server going down
 * or coming up, statement out of time) and every other error as it is. Knows the errors of pg and of Prisma.
 */
export function toDatabaseError(error: unknown): unknown {
  if (error instanceof DatabaseUnavailableError) return error;
  return isUnavailable(error) ? new DatabaseUnavailableError(error) : error;
}

const UNAVAILABLE_CODES = new Set([
  ...[
    "ECONNREFUSED",
    "ECONNRESET",
    "EPIPE",
    "ETIMEDOUT",
    "ENOTFOUND",
    "EAI_AGAIN",
    "EHOSTUNREACH",
    "ENETUNREACH",
  ],
  // Going down, crashed, coming up, idle session ended, database dropped under us, too many connections.
  ...["57P01", "57P02", "57P03", "57P04", "57P05", "53300"],
  // A statement out of time, and a former primary that now only reads.
  ...["57014", "25006"],
  // Prisma: cannot reach, timed out, operation timed out, connection closed, no connection free, too many connections,
  // no transaction begun in time.
  ...["P1001", "P1002", "P1008", "P1017", "P2024", "P2037", "P2028"],
]);

/** What pg and its pool say without a code. */
const UNAVAILABLE_MESSAGES =
  /^(timeout exceeded when trying to connect|timeout expired|Query read timeout|Connection terminated|Client has encountered a connection error|Client was closed|Cannot use a pool after calling end)/;

function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof AggregateError && error.errors.some(isUnavailable)) return true;
  if (codesOf(error).some((code) => UNAVAILABLE_CODES.has(code) || /^08[0-9A-Z]{3}$/.test(code))) return true;
  return UNAVAILABLE_MESSAGES.test(error.message) || isUnavailable(error.cause);
}

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
