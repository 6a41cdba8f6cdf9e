// The log of what operators did: who, by which command, when, and whether it was done. It owns the table operator_log, whose
// rows nobody changes. It promises that no logged command changes anything before its row is there.
import { userInfo } from "node:os";
import * as sql from "../../generated/sql/platform/operator-log.ts";
import type { Context } from "../context.ts";
import { OperatorError } from "../operator-error.ts";

/** A command as it is logged: names and addresses of people and secrets of keys are left out of its words. */
export interface LoggedCommand {
  command: string;
  words: readonly string[];
}

/** An entry of the log. `outcome` is unknown when the command was killed or still runs. */
export interface LogEntry {
  id: number;
  at: string;
  operator: string;
  command: string;
  words: readonly string[];
  outcome: "done" | "failed" | "unknown";
  failure: string | null;
}

/** Logs that a command begins, runs it, and logs how it ended. */
export async function logged<T>(context: Context, command: LoggedCommand, run: () => Promise<T>): Promise<T> {
  const operator = context.config.operator ?? systemUser();
  const words = command.words.map((word) =>
    hasAddress(word) ? LEFT_OUT : withoutPrivate(word, command.command),
  );
  const entry = { operator, command: command.command, words };
  const write = (begunId: number | null, failure: string | null) =>
    sql.writeLog(context.db.pool, { at: context.clock.now(), ...entry, begunId, failure });
  const begun = await write(null, null);
  const begunId = begun?.id ?? null;
  const result = await run().catch(async (error) => {
    // Only a sentence for operators is fit for a log that is kept for ever. The failure itself counts for the caller.
    const failure =
      error instanceof OperatorError ? loggedSentence(error.kept, command) : "An unexpected error";
    await write(begunId, failure).catch((err) =>
      context.log.warn({ err }, "The failure could not be logged."),
    );
    throw error;
  });
  await write(begunId, null);
  return result;
}

/** What the log has instead of an address or a phone number: people may ask to be forgotten, and it is kept for ever. */
const LEFT_OUT = "…";
const EMAIL = /[^\s"'<>]+@[^\s"'<>]+/g;
/** Ten to fifteen digits in any spelling, with an extension, but no day and no address of a network. */
const PHONE =
  /(?<![\w/-]|\d\.)(?!\d{4}-\d\d-\d\d|(?:\d{1,3}\.){3}\d{1,3}(?![\d.]))[+(]*(?:\d[\s().-]*){9,14}\d(?:\s?(?:x|ext\.?)\s?\d+)?(?![\w/-])/g;
/** A whole API key. Its prefix and its identifier may be shown. */
const KEY = /(tdf_(?:live|test)_[0-9A-Za-z]{8}_)\w+/g;

const hasAddress = (word: string): boolean => word.includes("@");

/** The number of a removal request, which looks like a phone number. Only commands about removals name one. */
const isRequestNumber = (text: string, command: string): boolean =>
  command.startsWith("removal ") && /^[1-9]\d{13}$/.test(text);

const withoutPrivate = (text: string, command: string): string =>
  text
    .replace(KEY, `$1${LEFT_OUT}`)
    .replace(EMAIL, LEFT_OUT)
    .replace(PHONE, (found) => (isRequestNumber(found, command) ? found : LEFT_OUT));

const loggedSentence = (sentence: string, { command, words }: LoggedCommand): string =>
  withoutPrivate(
    words.filter(hasAddress).reduce((text, word) => text.replaceAll(word, LEFT_OUT), sentence),
    command,
  )
    // PostgreSQL's texts have no NUL.
    .replaceAll("\0", "");

/** A container's user may have a number only. */
function systemUser(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid ${process.getuid?.() ?? "unknown"}`;
  }
}

/** The newest entries of the log. */
export async function listLog({ db }: Context, most: number): Promise<LogEntry[]> {
  const rows = await sql.listLog(db.pool, { most });
  return rows.map(({ at, endedAt, words, failure, ...entry }) => {
    const ended = failure === null ? "done" : "failed";
    return {
      ...entry,
      at: at.toISOString(),
      words: words ?? [],
      outcome: endedAt === null ? "unknown" : ended,
      failure,
    };
  });
}
