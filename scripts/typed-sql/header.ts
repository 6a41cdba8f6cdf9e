/** The comment lines at the top of a statement that describe it. */
export interface Header {
  /** The comment for the reader, without the lines of the header. */
  description: string;
  parameters: Parameter[];
  /** Columns that are never null although that can't be derived. */
  neverNull: string[];
  /** Columns with a narrower type than the database's own. */
  types: Map<string, NarrowType>;
  /** Temporary tables that the statement creates. */
  makes: string[];
  /** Temporary tables that it needs. */
  reads: string[];
  /** Whether the server plans it once per connection. */
  isPlannedOnce: boolean;
}

interface Parameter {
  name: string;
  isNullable: boolean;
  hasNullableElements: boolean;
}

/** A type, and the module that exports it if it has a name of its own. */
export interface NarrowType {
  text: string;
  importedFrom: string | null;
}

const LINE = /^-- (params|never null|typed|makes|reads|plan): (.+)$/;

/** Reads the comment lines at the top of a statement, without their line of its name. */
export function readHeader(lines: readonly string[]): Header {
  const matched = lines.map((line) => LINE.exec(line));
  const textsOf = (kind: string): string[] =>
    matched.flatMap((match) => (match?.[1] === kind ? [(match[2] ?? "").trim()] : []));
  const itemsOf = (kind: string): string[] => textsOf(kind).flatMap((text) => text.split(/\s*,\s*/));
  const plan = textsOf("plan");
  if (plan.some((text) => text !== "once"))
    throw new Error(`"plan: ${plan}" is not known: write "plan: once".`);
  return {
    description: lines
      .filter((_, index) => matched[index] === null)
      .map((line) => line.replace(/^-- ?/, ""))
      .join("\n"),
    parameters: itemsOf("params").map(parameterOf),
    neverNull: itemsOf("never null"),
    types: new Map(textsOf("typed").map(narrowTypeOf)),
    makes: itemsOf("makes"),
    reads: itemsOf("reads"),
    isPlannedOnce: plan.length > 0,
  };
}

function parameterOf(text: string): Parameter {
  const [, name, elements, isNullable] = /^([a-z][A-Za-z0-9]*)(\[\?\])?(\?)?$/.exec(text) ?? [];
  if (!name) throw new Error(`"${text}" is not a parameter: write name, name?, name[?] or name[?]?`);
  return { name, isNullable: isNullable !== undefined, hasNullableElements: elements !== undefined };
}

function narrowTypeOf(text: string): [string, NarrowType] {
  const [, column, type, importedFrom = null] = /^(\S+) (.+?)(?: from (\S+))?$/.exec(text) ?? [];
  if (!column || !type)
    throw new Error(`"${text}" is not a type: write "column type" or "column Type from ./file.ts"`);
  return [column, { text: type, importedFrom }];
}
