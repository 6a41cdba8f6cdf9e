// The columns of records that a request asks for. Whole records never pass here.
import { ProblemError } from "../../platform/http/problem.ts";
import type { FeedVersion } from "../versions/feed-version.ts";
import { echo } from "./filters.ts";

/** Columns of a version, and how its records become records of these columns alone. */
export interface Fields {
  /** In the order of the version's columns. */
  names: readonly string[];
  /** The same for an object with some or all columns. */
  of<T>(columns: Readonly<Record<string, T>>): Record<string, T>;
  /** Cuts them out of the JSON of a record that has all columns of the version. */
  cut(json: string): string;
}

/** Always there, so that each record can be identified. */
const ALWAYS = "record_id";

/** The columns asked for and `record_id`; null when none are asked for. ProblemError invalid_filter for an unknown one. */
export function fieldsOf(
  { feed, columns }: FeedVersion,
  asked: readonly string[] | undefined,
): Fields | null {
  if (asked === undefined) return null;
  const unknown = asked.find((name) => !columns.names.includes(name));
  if (unknown !== undefined) {
    const allowed = columns.names.join(", ");
    const detail = `fields: ${echo(unknown)} is no column of ${feed.code}. Allowed are ${allowed}.`;
    throw new ProblemError("invalid_filter", detail);
  }
  const wanted = new Set([...asked, ALWAYS]);
  return {
    names: columns.names.filter((name) => wanted.has(name)),
    of: (columnsOf) => Object.fromEntries(Object.entries(columnsOf).filter(([name]) => wanted.has(name))),
    cut: cutterOf(columns.names, wanted),
  };
}

/** Columns that follow each other: where the first begins in a record's JSON, and where the one after the last does. */
interface Run {
  begin: string;
  end: string | null;
}

/** Searching for the columns takes a fraction of the time of parsing the record. */
function cutterOf(names: readonly string[], wanted: ReadonlySet<string>): Fields["cut"] {
  // A quote within a value is escaped, so nothing but the begin of a member reads like this.
  const beginOf = (index: number) => `${index === 0 ? "{" : ","}${JSON.stringify(names[index])}:`;
  const runs: Run[] = [];
  for (const [index, name] of names.entries()) {
    if (!wanted.has(name)) continue;
    const end = index + 1 < names.length ? beginOf(index + 1) : null;
    const last = runs.at(-1);
    if (last && wanted.has(names[index - 1] ?? "")) last.end = end;
    else runs.push({ begin: beginOf(index), end });
  }
  return (json) => {
    let members = "";
    let to = 0;
    for (const { begin, end } of runs) {
      const from = json.indexOf(begin, to);
      to = end === null ? json.length - 1 : json.indexOf(end, from);
      if (from < 0 || to < 0) throw new Error("A record lacks a column of its version.");
      members += json.slice(from, to);
    }
    return `{${members.slice(1)}}`;
  };
}
