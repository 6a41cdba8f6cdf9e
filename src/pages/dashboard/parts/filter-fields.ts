import { type Feed, type Filter, type FilterName, filterOf } from "../../../feeds/catalogue.ts";
import { TIME_ZONE_GROUPS } from "../../../feeds/codes.ts";
import { parseFilters } from "../../../feeds/records/filters.ts";
import { packedColumns } from "../../../feeds/versions/packed-columns.ts";
import { isDay } from "../../../platform/clock.ts";
import { ProblemError } from "../../../platform/http/problem.ts";
import { choice, field, type Mistake, wrongIn } from "../../kit/field.ts";
import type { Html } from "../../kit/html.ts";
import { NOT_IN_LIST } from "./form-fields.ts";

/** What can be entered for a filter. */
type Entry =
  | { kind: "text"; placeholder: string }
  | { kind: "number" }
  | { kind: "date" }
  | {
      kind: "choice";
      choices: readonly (readonly [value: string, shown: string])[];
      none?: string | undefined;
    };

const YES_NO = [
  ["true", "yes"],
  ["false", "no"],
] as const;

function entryOf(feed: Feed, { column, match, placeholder, choices }: Filter): Entry {
  if (placeholder !== null) return { kind: "text", placeholder };
  if (column === "time_zone") {
    return { kind: "choice", choices: [...TIME_ZONE_GROUPS.keys()].map((zone) => [zone, zone]) };
  }
  const packed = packedColumns(feed).get(column);
  if (match === "not") {
    return { kind: "choice", choices: [["true", choices?.true ?? "yes"]], none: choices?.[""] };
  }
  if (packed?.type === "boolean") return { kind: "choice", choices: YES_NO };
  if (packed?.words) {
    return {
      kind: "choice",
      choices: packed.words.map((word) => [word, choices?.[word] ?? word.replaceAll("_", " ")]),
    };
  }
  return { kind: packed?.type === "date" && !match.startsWith("days_") ? "date" : "number" };
}

type AskedName = FilterName | "since";

const labelOf = (name: AskedName): string =>
  name === "since" ? "Granted or verified since" : filterOf(name).label;

const entryOfName = (feed: Feed, name: AskedName): Entry =>
  name === "since" ? { kind: "date" } : entryOf(feed, filterOf(name));

/** The field of one of the feed's filters, or of `since`, holding what was asked for. */
export function filterField(
  feed: Feed,
  name: AskedName,
  { value, mistakes }: { value: string; mistakes: readonly Mistake[] },
): Html {
  const asked = { name, value, label: labelOf(name), ...wrongIn(mistakes, name) };
  const entry = entryOfName(feed, name);
  switch (entry.kind) {
    case "text":
      return field({ ...asked, placeholder: entry.placeholder, maxLength: 400 });
    case "number":
      return field({ ...asked, isNumber: true, maxLength: 10 });
    case "date":
      return field({ ...asked, type: "date" });
    case "choice":
      return choice({ ...asked, choices: [["", entry.none ?? "any"], ...entry.choices] });
  }
}

/** Everything that is wrong with the values asked for, in the words of their fields. */
export function filterMistakes(feed: Feed, asked: ReadonlyMap<AskedName, string>): Mistake[] {
  const isAllowed = (...names: AskedName[]) => isParsed(feed, asked, names);
  const wrong = (name: AskedName, message: string) => ({ name, label: labelOf(name), message });
  return [...asked].flatMap(([name, value]) => {
    if (!isAllowed(name)) return [wrong(name, ruleOf(feed, name, value))];
    const minimum = [...asked.keys()].find((other) => isAllowed(other) && !isAllowed(other, name));
    // The pair is wrong at its second field, the maximum.
    return minimum !== undefined && [...asked.keys()].indexOf(minimum) < [...asked.keys()].indexOf(name)
      ? [wrong(name, `It must not be below “${labelOf(minimum)}”.`)]
      : [];
  });
}

function isParsed(feed: Feed, asked: ReadonlyMap<AskedName, string>, names: readonly AskedName[]): boolean {
  const since = names.includes("since") ? asked.get("since") : undefined;
  if (since !== undefined && !isDay(since)) return false;
  const filters = names.flatMap((name) =>
    name === "since" ? [] : [[name, [asked.get(name) ?? ""]] as const],
  );
  try {
    parseFilters(feed, new Map(filters), "readRecords");
    return true;
  } catch (error) {
    if (error instanceof ProblemError) return false;
    throw error;
  }
}

/** What may be entered, as a sentence about a value that may not. */
function ruleOf(feed: Feed, name: AskedName, value: string): string {
  const entry = entryOfName(feed, name);
  switch (entry.kind) {
    case "number":
      return "Write a whole number from 0 to 2,147,483,647.";
    case "date":
      return "Write a day like 2026-11-18.";
    case "choice":
      return NOT_IN_LIST;
    case "text": {
      const column = feed.columns.find((each) => name !== "since" && each.name === filterOf(name).column);
      const known = column?.kind === "list" && column.words ? ` Known are ${column.words.join(", ")}.` : "";
      return `“${value.slice(0, 64)}” is not known. Write it like ${entry.placeholder}.${known}`;
    }
  }
}
