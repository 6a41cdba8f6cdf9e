/** The comment lines at the top of a .sql file that describe the statement. */
export interface Header {
  parameters: Parameter[];
  /** Columns that are never null although that can't be derived. */
  neverNull: string[];
  /** Columns with a narrower type than the database's own. */
  types: Map<string, NarrowType>;
  /** Statements of the same folder that run before and create temporary tables. */
  after: string[];
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

const LINE = /^-- (params|never null|typed|after): (.+)$/gm;

/** Reads the header; null for a file without `-- params:`, which is only a part of other statements. */
export function readHeader(sql: string): Header | null {
  const said = Map.groupBy(sql.matchAll(LINE), ([, kind]) => kind);
  const itemsOf = (kind: string): string[] =>
    (said.get(kind) ?? []).flatMap(([, , text = ""]) => text.trim().split(/\s*,\s*/));
  const parameters = itemsOf("params");
  if (parameters.length === 0) return null;
  return {
    parameters: parameters.join() === "none" ? [] : parameters.map(parameterOf),
    neverNull: itemsOf("never null"),
    types: new Map((said.get("typed") ?? []).map(([, , text = ""]) => narrowTypeOf(text))),
    after: itemsOf("after"),
  };
}

function parameterOf(text: string): Parameter {
  const [, name, elements, isNullable] = /^([a-z][A-Za-z0-9]*)(\[\?\])?(\?)?$/.exec(text) ?? [];
  if (!name) throw new Error(`"${text}" is not a parameter: write name, name?, name[?] or name[?]?`);
  return { name, isNullable: isNullable !== undefined, hasNullableElements: elements !== undefined };
}

function narrowTypeOf(text: string): [string, NarrowType] {
  const [, column, type, importedFrom = null] = /^(\S+) (.+?)(?: from (\S+))?$/.exec(text.trim()) ?? [];
  if (!column || !type)
    throw new Error(`"${text}" is not a type: write "column type" or "column Type from ./file.ts"`);
  return [column, { text: type, importedFrom }];
}
