import { DatabaseUnavailableError, toDatabaseError } from "../platform/database/database-error.ts";
import { OperatorError } from "../platform/operator-error.ts";

/** One line about an error that the operator can solve, or null for an error of the program. */
export function failureLine(error: unknown): string | null {
  if (error instanceof OperatorError) return error.message;
  const known = toDatabaseError(error);
  if (known instanceof DatabaseUnavailableError) return `${firstLine(known)}. ${remedyOf(known)}`;
  return fileSystemLine(error);
}

const remedyOf = ({ isDiskFull }: DatabaseUnavailableError): string =>
  isDiskFull
    ? "Free some space on the disk and run the command again."
    : "Start the database and run the command again.";

const REASONS: Readonly<Record<string, string>> = {
  ENOSPC: "the disk is full",
  EDQUOT: "the disk quota is used up",
  EROFS: "the file system can only be read",
  EACCES: "this user has no permission",
  EPERM: "this user has no permission",
};

/** A line about a file that cannot be used. */
function fileSystemLine(error: unknown): string | null {
  const { code = "", path, syscall } = (error ?? {}) as NodeJS.ErrnoException;
  const reason = REASONS[code];
  if (reason === undefined || syscall === undefined) return null;
  return `${path ?? "A file"} can't be used: ${reason} (${syscall} ${code}).`;
}

const firstLine = (error: Error): string => (error.message.split("\n")[0] ?? "").replace(/\.$/, "");
