import { type Feed, type Filter, type FilterName, filterOf } from "../../../feeds/catalogue.ts";
import { TIME_ZONE_GROUPS } from "../../../feeds/codes.ts";
import { packedColumns } from "../../../feeds/versions/packed-columns.ts";
import { choice, field } from "../../kit/field.ts";
import type { Html } from "../../kit/html.ts";

/** What can be entered for a filter. */
type Entry =
  | { kind: "text"; placeholder: string }
  | { kind: "number" }
  | { kind: "date" }
  | { kind: "choice"; choices: readonly (readonly [value: string, shown: string])[] };

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
  if (match === "not") return { kind: "choice", choices: [["true", "yes"]] };
  if (packed?.type === "boolean") return { kind: "choice", choices: YES_NO };
  if (packed?.words) {
    return {
      kind: "choice",
      choices: packed.words.map((word) => [word, choices?.[word] ?? word.replaceAll("_", " ")]),
    };
  }
  return { kind: packed?.type === "date" && !match.startsWith("days_") ? "date" : "number" };
}

/** The field of one of the feed's filters, or of `since`, holding what was asked for. */
export function filterField(feed: Feed, name: FilterName | "since", value: string): Html {
  const filter = name === "since" ? null : filterOf(name);
  const asked = { name, value, label: filter?.label ?? "Granted or verified since" };
  const entry: Entry = filter === null ? { kind: "date" } : entryOf(feed, filter);
  switch (entry.kind) {
    case "text":
      return field({ ...asked, placeholder: entry.placeholder, maxLength: 400 });
    case "number":
      return field({ ...asked, isNumber: true, maxLength: 10 });
    case "date":
      return field({ ...asked, type: "date" });
    case "choice":
      return choice({ ...asked, choices: [["", "any"], ...entry.choices] });
  }
}
