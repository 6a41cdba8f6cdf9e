import type { Contract } from "../contract/contract.ts";

/** A schema of the contract, as far as Python's types tell it. */
interface Schema {
  $ref?: string;
  type?: string | readonly string[];
  enum?: readonly unknown[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: readonly string[];
  additionalProperties?: boolean | Schema;
  anyOf?: readonly Schema[];
  oneOf?: readonly Schema[];
  allOf?: readonly Schema[];
  description?: string;
  "x-feed"?: string;
  "x-volatile"?: unknown;
}

const SCALARS: Record<string, string> = {
  string: "str",
  integer: "int",
  number: "float",
  boolean: "bool",
  null: "None",
};

/** The module `types` of the Python SDK: the contract's schemas as typed dictionaries, and the calls typed by feed. */
export function pythonTypes({ document }: Contract): string {
  const schemas = document.components.schemas as unknown as Record<string, Schema>;
  const feeds = Object.entries(schemas).flatMap(([name, { "x-feed": feed }]) =>
    feed === undefined ? [] : [{ name, feed }],
  );
  const classes: string[] = [];
  const aliases: string[] = [];
  for (const [name, schema] of Object.entries(schemas)) {
    if (schema.properties !== undefined) writeClass(name, schema, classes);
    else aliases.push(`${name} = ${typeOf(schema, name, classes)}`);
  }
  return `# Written by \`npm run generate\` from openapi.yaml.
"""The contract's schemas as typed dictionaries."""

from __future__ import annotations

from typing import Any, Dict, List, Literal, Mapping, Optional, TypedDict, Union, overload

from .paged_list import PagedList

FeedCode = Literal[${feeds.map(({ feed }) => JSON.stringify(feed)).join(", ")}]

${classes.join("\n\n")}

${aliases.join("\n")}

# How the columns that change without news follow from a record and the days of its version.
VOLATILE: Dict[str, Dict[str, str]] = ${JSON.stringify(volatileOf(Object.values(schemas)))}


class FeedCalls:
    """The calls whose records are typed by feed."""
${feeds.map(overloadOf).join("")}
    def records(self, feed: Any, filters: Any = None, *, page_size: int = 1000) -> Any:
        """The records of a feed that match all filters, all of one version, newest authority first."""
        return self._records(feed, filters, page_size)

    def _records(self, feed: str, filters: Any, page_size: int) -> Any:
        raise NotImplementedError
`;
}

/** `x-volatile` of each column that has it. */
const volatileOf = (schemas: readonly Schema[]): Record<string, unknown> =>
  Object.fromEntries(
    schemas
      .filter((schema) => schema["x-feed"] !== undefined)
      .flatMap(({ properties = {} }) => Object.entries(properties))
      .flatMap(([name, { "x-volatile": rule }]) => (rule === undefined ? [] : [[name, rule]])),
  );

const overloadOf = ({ name, feed }: { name: string; feed: string }): string => `
    @overload
    def records(
        self, feed: Literal["${feed}"], filters: Optional[Mapping[str, Any]] = None, *, page_size: int = 1000
    ) -> PagedList[RecordsOut, ${name}]: ...
`;

/** Writes a dictionary's class: members that may be missing go to a class of their own, which Python 3.9 knows. */
function writeClass(name: string, schema: Schema, classes: string[]): void {
  const members = Object.entries(schema.properties ?? {}).map(([member, each]) => ({
    member,
    type: typeOf(each, name + pascal(member), classes),
    isRequired: schema.required?.includes(member) === true,
  }));
  const text = doc(schema);
  if (members.some(({ member }) => isKeyword(member))) {
    const entries = members.map(({ member, type }) => `${JSON.stringify(member)}: ${quoted(type)}`);
    classes.push(`# ${text}\n${name} = TypedDict("${name}", {${entries.join(", ")}}, total=False)`);
    return;
  }
  const lines = (isRequired: boolean) =>
    members
      .filter((one) => one.isRequired === isRequired)
      .map(({ member, type }) => `    ${member}: ${type}`);
  const [required, optional] = [lines(true), lines(false)];
  if (optional.length === 0) {
    classes.push([`class ${name}(TypedDict):`, `    """${text}"""`, "", ...required].join("\n"));
    return;
  }
  if (required.length > 0) classes.push([`class _${name}(TypedDict):`, ...required].join("\n"));
  const base = required.length > 0 ? `_${name}` : "TypedDict";
  classes.push([`class ${name}(${base}, total=False):`, `    """${text}"""`, "", ...optional].join("\n"));
}

/** The type of a value. A dictionary inside another one gets a class with the name of its place. */
function typeOf(schema: Schema, place: string, classes: string[]): string {
  if (schema.$ref !== undefined) return quoted(schema.$ref.split("/").at(-1) ?? "");
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices !== undefined) return union(choices.map((one) => typeOf(one, place, classes)));
  if (schema.enum !== undefined) return literal(schema.enum);
  const types = [schema.type ?? []].flat();
  if (types.length === 0) return "Any";
  return union(types.map((type) => ofType(type, schema, place, classes)));
}

function ofType(type: string, schema: Schema, place: string, classes: string[]): string {
  if (type === "array") return `List[${schema.items ? typeOf(schema.items, place, classes) : "Any"}]`;
  if (type !== "object") return SCALARS[type] ?? "Any";
  if (schema.properties !== undefined) {
    writeClass(place, schema, classes);
    return quoted(place);
  }
  const values = schema.additionalProperties;
  return `Dict[str, ${typeof values === "object" ? typeOf(values, place, classes) : "Any"}]`;
}

/** Names of classes are quoted, because aliases are evaluated where they stand. */
const quoted = (name: string): string => (name.startsWith('"') ? name : JSON.stringify(name));

const literal = (values: readonly unknown[]): string =>
  `Literal[${values.map((value) => (value === null ? "None" : JSON.stringify(value))).join(", ")}]`;

function union(types: readonly string[]): string {
  const distinct = [...new Set(types)];
  return distinct.length === 1 ? (distinct[0] ?? "Any") : `Union[${distinct.join(", ")}]`;
}

const pascal = (name: string): string =>
  name.replaceAll(/(?:^|_)([a-z0-9])/g, (_match, letter: string) => letter.toUpperCase());

const isKeyword = (name: string): boolean => ["from", "class", "in", "is", "not"].includes(name);

const doc = ({ description = "" }: Schema): string =>
  description.split("\n\n")[0]?.replaceAll(/\s+/g, " ").replaceAll("\\", "").replaceAll('"', "'").trim() ??
  "";
