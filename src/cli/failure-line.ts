import { DatabaseUnavailableError, toDatabaseError } from "../platform/database/database-error.ts";
import { OperatorError } from "../platform/operator-error.ts";

/** One line for an error that an operator can do something about; null for a mistake of the program. */
export function failureLine(error: unknown): string | null {
  if (error instanceof OperatorError) return error.message;
  const known = toDatabaseError(error);
  if (known instanceof DatabaseUnavailableError) return `${firstLine(known)}. ${remedyOf(known)}`;
  return fileSystemLine(error);
}

const remedyOf = ({ isDiskFull }: DatabaseUnavailableError): string =>
  isDiskFull
    ? "Make room on the disk and run the command again."
    : "See that the database runs and run the command again.";

const REASONS: Readonly<Record<string, string>> = {
  ENOSPC: "the disk is full",
  EDQUOT: "the disk quota is used up",
  EROFS: "the file system can only be read",
  EACCES: "this user may not",
  EPERM: "this user may not",
};

/** A file that the system does not let us use. */
function fileSystemLine(error: unknown): string | null {
  const { code = "", path, syscall } = (error ?? {}) as NodeJS.ErrnoException;
  const reason = REASONS[code];
  if (reason === undefined || syscall === undefined) return null;
  return `${path ?? "A file"} can't be used: ${reason} (${syscall} ${code}).`;
}

const firstLine = (error: Error): string => (error.message.split("\n")[0] ?? "").replace(/\.$/, "");
