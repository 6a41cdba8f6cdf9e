import { type Feed, type Filter, type FilterName, filterOf } from "../../../../feeds/catalogue.ts";
import { TIME_ZONE_GROUPS } from "../../../../feeds/codes.ts";
import { parseFilters } from "../../../../feeds/records/filters.ts";
import { packedColumns } from "../../../../feeds/versions/packed-columns.ts";
import { isDay } from "../../../../platform/clock.ts";
import { ProblemError } from "../../../../platform/http/problem.ts";
import { choice, field, type Mistake, pickList, wrongIn } from "../../../kit/field.ts";
import type { Html } from "../../../kit/html.ts";
import { NOT_IN_LIST } from "../form-fields.ts";
import { type TextChoices, textChoices } from "./text-choices.ts";

/** States, for example, are of two letters. */
const MOST_CODE_LETTERS = 3;

/** What can be entered for a filter. */
type Entry =
  | { kind: "text"; placeholder: string }
  | { kind: "number" }
  | { kind: "date" }
  | { kind: "list"; words: readonly string[] }
  | { kind: "texts"; most: number | undefined; longest: number | undefined }
  | {
      kind: "choice";
      choices: readonly (readonly [value: string, shown: string])[];
      none?: string | undefined;
    };

const YES_NO = [
  ["true", "yes"],
  ["false", "no"],
] as const;

function entryOf(feed: Feed, { column, match, placeholder, choices, schema: filterSchema }: Filter): Entry {
  const packed = packedColumns(feed).get(column);
  if (match === "any_of" && packed?.words && filterSchema.type === "array") {
    return { kind: "list", words: packed.words };
  }
  if (match === "any_of" && packed?.form === "text")
    return { kind: "texts", most: filterSchema.maxItems, longest: filterSchema.items?.maxLength };
  if (placeholder !== null) return { kind: "text", placeholder };
  if (column === "time_zone") {
    return { kind: "choice", choices: [...TIME_ZONE_GROUPS.keys()].map((zone) => [zone, zone]) };
  }
  if (match === "not") {
    return { kind: "choice", choices: [["true", choices?.true ?? "yes"]], none: choices?.[""] };
  }
  if (packed?.type === "boolean") return { kind: "choice", choices: YES_NO };
  if (packed?.words) {
    return {
      kind: "choice",
      choices: packed.words.map((word) => [word, choices?.[word] ?? shownWord(word)]),
    };
  }
  return { kind: packed?.type === "date" && !match.startsWith("days_") ? "date" : "number" };
}

/** What the rows of a feed can be asked by. */
export type AskedName = FilterName | "since";

/** The name of a filter's field. */
export const labelOf = (name: AskedName): string =>
  name === "since" ? "Granted or verified since" : filterOf(name).label;

/** Whether a filter takes several words of a list. */
export const isListFilter = (name: AskedName): boolean =>
  name !== "since" && filterOf(name).schema.type === "array";

/** Whether a filter takes whole texts of a column, such as names of insurers. */
export const isTextsFilter = (feed: Feed, name: AskedName): boolean =>
  entryOfName(feed, name).kind === "texts";

/** What a filter's value is to a program. */
export function kindOfAnswer(feed: Feed, name: AskedName): "boolean" | "number" | "text" {
  if (name !== "since" && filterOf(name).schema.type === "boolean") return "boolean";
  return entryOfName(feed, name).kind === "number" ? "number" : "text";
}

/** A filter's value in the words of its field. */
export function shownAnswer(feed: Feed, name: AskedName, value: string): string {
  const entry = entryOfName(feed, name);
  if (entry.kind === "texts") return value.replaceAll(/ *, */g, ", ");
  if (entry.kind === "choice") return entry.choices.find(([each]) => each === value)?.[1] ?? value;
  return entry.kind === "list" ? itemsOf(value, entry.words).map(shownWord).join(", ") : value;
}

const shownWord = (word: string): string => word.replaceAll("_", " ");

/** The items of a list, in the spelling of its words where it has them. */
const itemsOf = (value: string, words: readonly string[]): string[] =>
  value.split(",").flatMap((text) => {
    const item = text.trim();
    return item === "" ? [] : [words.find((word) => word.toLowerCase() === item.toLowerCase()) ?? item];
  });

const entryOfName = (feed: Feed, name: AskedName): Entry =>
  name === "since" ? { kind: "date" } : entryOf(feed, filterOf(name));

/** The field of one of the feed's filters, or of `since`, holding what was asked for. */
export function filterField(
  feed: Feed,
  name: AskedName,
  {
    value,
    mistakes,
    regions,
    texts,
  }: {
    value: string;
    mistakes: readonly Mistake[];
    regions: readonly string[] | null;
    texts: TextChoices | undefined;
  },
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
    case "list":
      return pickList({
        ...asked,
        choices: entry.words
          .filter((word) => name !== "state" || regions === null || regions.includes(word))
          .map((word) => [word, shownWord(word)]),
        values: itemsOf(value, entry.words),
        areCodes: entry.words.every((word) => word.length <= MOST_CODE_LETTERS),
      });
    case "texts": {
      const { choices, ticked, unknown, suggested } = texts ?? textChoices(value, []);
      const other = {
        label: `Other ${asked.label.toLowerCase()}`,
        value: unknown.join(", "),
        hint: "Whole names.",
        suggested,
      };
      return pickList({ ...asked, choices, values: ticked, other });
    }
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
    case "list": {
      const wrong = itemsOf(value, entry.words).filter((item) => !entry.words.includes(item));
      return `“${(wrong[0] ?? value).slice(0, 64)}” is not known. Tick those that you want.`;
    }
    case "texts":
      return `Write at most ${entry.most} whole names, each of at most ${entry.longest} characters.`;
    case "text":
      return `“${value.slice(0, 64)}” is not allowed. Write 2 to 120 characters, like ${entry.placeholder}.`;
  }
}
