import { Command } from "commander";
import { type LogEntry, listLog } from "../platform/operator-log/operator-log.ts";
import { limitFrom, limitOption } from "./terminal/arguments.ts";
import { table } from "./terminal/print.ts";
import { reporting } from "./terminal/reporting.ts";

export const logCommand = (): Command =>
  reporting(
    new Command("log")
      .description("Show what operators did by commands that change something, newest first")
      .addOption(limitOption())
      .addHelpText(
        "after",
        `
Who is the user of the system, or OPERATOR when it is set. Names, addresses, phone numbers, notes and reasons are not in the
log, which is kept for ever. The outcome is unknown when a command still runs, or was killed before it ended.`,
      ),
    async (context, { limit }: { limit: string }) => {
      const entries = await listLog(context, limitFrom(limit));
      return { value: entries, lines: table(HEADINGS, entries.map(cells)) };
    },
  );

const HEADINGS = ["number", "at", "who", "command", "outcome"];

const cells = ({ id, at, operator, command, words, outcome, failure }: LogEntry) => [
  id,
  at,
  operator,
  [command, ...words].join(" "),
  failure === null ? outcome : `${outcome}: ${failure}`,
];
