// The log of what operators did: who, by which command, when, and whether it was done. It owns the table operator_log, whose
// rows nobody changes. It promises that no logged command changes anything before its row is there.
import { userInfo } from "node:os";
import * as sql from "../../generated/sql/platform/operator-log.ts";
import type { Context } from "../context.ts";
import { OperatorError } from "../operator-error.ts";

/** A command as it is logged: names and addresses of people are left out of its words. */
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
  const words = command.words.map((word) => (isContact(word) ? LEFT_OUT : word));
  const entry = { operator, command: command.command, words };
  const write = (begunId: number | null, failure: string | null) =>
    sql.writeLog(context.db.pool, { at: context.clock.now(), ...entry, begunId, failure });
  const begun = await write(null, null);
  const begunId = begun?.id ?? null;
  const result = await run().catch(async (error) => {
    // Only a sentence for operators is fit for a log that is kept for ever. The failure itself counts for the caller.
    const failure =
      error instanceof OperatorError ? withoutContacts(error.message, command.words) : "An unexpected error";
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
/** Ten or eleven digits in any spelling, but no day. */
const PHONE = /(?<![\w/-])(?!\d{4}-\d\d-\d\d)[+(]*(?:\d[\s().-]*){9,10}\d(?![\w/-])/g;

const isContact = (word: string): boolean =>
  word !== "" && (word.includes("@") || word.replace(PHONE, "") === "");

const withoutContacts = (sentence: string, words: readonly string[]): string =>
  words
    .filter(isContact)
    .reduce((text, word) => text.replaceAll(word, LEFT_OUT), sentence)
    .replace(EMAIL, LEFT_OUT)
    .replace(PHONE, LEFT_OUT)
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
