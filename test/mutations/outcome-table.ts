import type { Outcome } from "./run.ts";

const SHOWN_FAULTS = 2;

/** The run as a Markdown table: each mutation, its outcome, and what is wrong with it. */
export function outcomeTable(outcomes: readonly Outcome[]): string {
  const lines = outcomes.map(({ name, outcome, message, faults }) => {
    const shown = faults.slice(0, SHOWN_FAULTS).join("; ");
    const more = faults.length > SHOWN_FAULTS ? ` (and ${faults.length - SHOWN_FAULTS} more)` : "";
    return `| ${[name, outcome, message, faults.length === 0 ? "" : `WRONG: ${shown}${more}`].map(cell).join(" | ")} |`;
  });
  const wrong = outcomes.filter(({ faults }) => faults.length > 0).length;
  const refused = outcomes.filter(({ outcome }) => outcome.startsWith("refused")).length;
  return [
    "| Mutation | Outcome | Message | Wrong |",
    "|---|---|---|---|",
    ...lines,
    "",
    `${outcomes.length} mutations: ${refused} refused, ${outcomes.length - refused} accepted, ${wrong} with something wrong.`,
  ].join("\n");
}

const cell = (text: string): string => text.replaceAll("|", "\\|").replaceAll("\n", " ");
