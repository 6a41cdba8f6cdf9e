import { CommanderError } from "commander";
import {
  DatabaseUnavailableError,
  hasNoRight,
  toDatabaseError,
} from "../../platform/database/database-error.ts";
import { isDiskFull, OperatorError } from "../../platform/operator-error.ts";

/**
 * The exit statuses of every command, by which scripts decide. docs/operating/commands.md explains them. The numbers above
 * 2 are those of sysexits.h.
 */
export const EXIT = { done: 0, unexpected: 1, wrongCall: 2, refused: 65, tryAgain: 75 } as const;

const BY_SOLUTION = {
  "another-call": EXIT.wrongCall,
  "a-decision": EXIT.refused,
  later: EXIT.tryAgain,
} as const;

/** The exit status of a command that ended with an error. */
export function exitStatusOf(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.wrongCall;
  if (error instanceof OperatorError) return BY_SOLUTION[error.solution];
  if (hasNoRight(error)) return EXIT.wrongCall;
  if (toDatabaseError(error) instanceof DatabaseUnavailableError) return EXIT.tryAgain;
  const failure = (error ?? {}) as NodeJS.ErrnoException;
  return failure.syscall !== undefined && isDiskFull(failure) ? EXIT.tryAgain : EXIT.unexpected;
}
