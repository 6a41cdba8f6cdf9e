import { Command } from "commander";
import {
  type CarrierChange,
  type CarrierHistory,
  readCarrierChanges,
} from "../../carriers/carrier-changes.ts";
import { dayOf } from "../../platform/clock.ts";
import { OperatorError } from "../../platform/operator-error.ts";
import { CHANGE_CATEGORIES } from "../../registry/changes/record-changes.ts";
import type { ChangeCategory } from "../../registry/changes/recorded-fields.ts";
import { dayFrom, limitFrom, limitOption, usdotFrom } from "../terminal/arguments.ts";
import { table } from "../terminal/print.ts";
import { reporting } from "../terminal/reporting.ts";

interface Flags {
  category?: string;
  since?: string;
  limit: string;
}

export function carrierCommand(): Command {
  const carrier = new Command("carrier").description("What is known of one carrier over time");
  reporting(
    carrier
      .command("history")
      .description(
        "Show the recorded changes of a carrier, newest first; none of a business on the removal list",
      )
      .argument("<usdot>", "USDOT number, 1 to 8 digits")
      .option("--category <name>", `only changes of ${CHANGE_CATEGORIES.join(", ")}`)
      .option("--since <day>", "only changes that an import saw on this day (UTC) or later")
      .addOption(limitOption()),
    async (context, usdot: string, { category, since, limit }: Flags) => {
      const history = await readCarrierChanges(context, usdotFrom(usdot), {
        category: category === undefined ? null : categoryFrom(category),
        since: since === undefined ? null : new Date(`${dayFrom("--since", since)}T00:00:00Z`),
        limit: limitFrom(limit),
      });
      return { value: history, lines: historyLines(history) };
    },
  );
  return carrier;
}

function categoryFrom(text: string): ChangeCategory {
  const category = CHANGE_CATEGORIES.find((known) => known === text);
  if (category !== undefined) return category;
  throw new OperatorError(`--category is "${text}": give one of ${CHANGE_CATEGORIES.join(", ")}.`);
}

function historyLines({ usdot, recorded_since, changes }: CarrierHistory): string[] {
  const [first] = Object.values(recorded_since).toSorted((one, other) => one.getTime() - other.getTime());
  if (first === undefined)
    return ["No change is recorded yet: the first import is what later imports are compared with."];
  const since = `Changes are recorded since ${dayOf(first)}.`;
  if (changes.length === 0) return [`No change of USDOT number ${usdot} is there to show. ${since}`];
  return [
    ...table(
      ["seen on", "registry's day", "category", "field", "of", "before", "after", "file"],
      changes.map((change) => [
        dayOf(change.seen_at),
        change.registry_on ?? "–",
        change.category,
        change.field,
        aboutOf(change),
        textOf(change.old_value),
        textOf(change.new_value),
        change.source,
      ]),
    ),
    "",
    since,
  ];
}

/** The authority, policy or order that a change is about. */
const aboutOf = ({ docket, item }: CarrierChange): string =>
  [docket, ...Object.values(item ?? {})].filter((part) => part !== null).join(" ") || "the company";

function textOf(value: unknown): string {
  if (value === null) return "–";
  if (typeof value !== "object") return String(value);
  return Object.entries(value)
    .filter(([, part]) => part !== null)
    .map(([name, part]) => `${name} ${part}`)
    .join(", ");
}
