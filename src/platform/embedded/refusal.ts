import { OperatorError } from "../operator-error.ts";

/** Causes that an operator can solve, by the server's words. These are stable, because lc_messages is C. */
const REMEDIES: readonly [RegExp, string][] = [
  [/No space left on device|Disk quota exceeded/, "its disk is full: free some space"],
  [/Read-only file system/, "its file system can only be read: name another folder in DATA_DIR"],
  [
    /Permission denied|Operation not permitted|has wrong ownership|has invalid permissions/,
    "it holds files that its server may not use: give the folder back to its owner (chown -R, chmod -R go-rwx)",
  ],
];

/** An error of one line for a cause that an operator can solve; otherwise one with everything PostgreSQL said. */
export function refusal(what: string, folder: string, said: string, cause?: unknown): OperatorError {
  const [words, remedy] = REMEDIES.find(([pattern]) => pattern.test(said)) ?? [];
  if (!words) return new OperatorError(`The embedded PostgreSQL ${what}: ${said}`, { cause });
  const line = said.split("\n").find((each) => words.test(each)) ?? "";
  const reason = line.replace(/^.*?(FATAL|PANIC|ERROR|error):\s*/, "").trim();
  return new OperatorError(
    `The embedded PostgreSQL can't use ${folder}, since ${remedy}. It said: ${reason}.`,
    { cause },
  );
}
