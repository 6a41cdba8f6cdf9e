import { type Feed, type Filter, type FilterName, filterOf } from "../../../feeds/catalogue.ts";
import { TIME_ZONE_GROUPS } from "../../../feeds/codes.ts";
import { packedColumns } from "../../../feeds/versions/packed-columns.ts";
import { type Html, html } from "../../kit/html.ts";

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
  const entry: Entry = filter === null ? { kind: "date" } : entryOf(feed, filter);
  return html`<div class="field"><label for="${name}">${filter?.label ?? "Granted or verified since"}</label>
${inputOf(name, entry, value)}</div>
`;
}

function inputOf(name: string, entry: Entry, value: string): Html {
  switch (entry.kind) {
    case "text":
      return html`<input id="${name}" name="${name}" value="${value}" placeholder="${entry.placeholder}" maxlength="400">`;
    case "number":
      return html`<input id="${name}" name="${name}" value="${value}" inputmode="numeric" maxlength="10">`;
    case "date":
      return html`<input id="${name}" name="${name}" value="${value}" type="date">`;
    case "choice":
      return html`<select id="${name}" name="${name}"><option value="">any</option>${entry.choices.map(
        ([word, shown]) =>
          html`<option value="${word}"${word === value && html` selected`}>${shown}</option>`,
      )}</select>`;
  }
}
