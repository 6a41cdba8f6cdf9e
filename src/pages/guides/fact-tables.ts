// Tables that the guides show of the contract.
import { events, feeds, filters } from "../../generated/feeds.ts";
import { problems } from "../../generated/problems.ts";
import { markdownTable } from "./markdown-table.ts";
import { type Operation, operations, resolved } from "./operations.ts";

export const feedTable = (): string =>
  markdownTable(
    ["Feed", "What it lists", "Refreshed"],
    feeds.map(({ code, name, cadence }) => [`\`${code}\``, name, cadence]),
  );

export function filterTable(): string {
  const parameters = operations()
    .flatMap(({ source }) => source.parameters ?? [])
    .map(resolved);
  return markdownTable(
    ["Filter", "Meaning", "Feeds"],
    filters.map(({ name }) => {
      const description = String(parameters.find((parameter) => parameter.name === name)?.description);
      const allowing = feeds.filter(({ allowedFilters }) => allowedFilters.includes(name));
      const codes = allowing.map(({ code }) => `\`${code}\``).join(", ");
      return [`\`${name}\``, firstSentence(description), allowing.length === feeds.length ? "all" : codes];
    }),
  );
}

const firstSentence = (text: string): string => text.split(/(?<=\.) /)[0] ?? "";

export const eventTable = (): string =>
  markdownTable(
    ["Event type", "Meaning", "Seen with any of the feeds"],
    Object.entries(events).map(([type, { label, feeds: seenWith }]) => [
      `\`${type}\``,
      label,
      seenWith.map((code) => `\`${code}\``).join(", "),
    ]),
  );

export const costTable = (): string =>
  markdownTable(
    ["Operation", "Costs", "What it does"],
    operations().map((operation) => [
      `\`${operation.method} ${operation.path}\``,
      costOf(operation),
      operation.summary,
    ]),
  );

/** An operation costs rows when its answers include the refusal for want of them. */
function costOf({ codes, isPublic }: Operation): string {
  if (codes.includes("quota_exceeded")) return "a row for each record or event";
  return isPublic ? "nothing, takes no key" : "no rows";
}

export const problemTable = (): string =>
  markdownTable(
    ["Code", "Status", "What it means and what to do"],
    Object.entries(problems).map(([code, { status, meaning }]) => [
      `[\`${code}\`](/problems/${code})`,
      String(status),
      meaning,
    ]),
  );
