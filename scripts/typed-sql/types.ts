import type { Catalog } from "./catalog.ts";

/** The TypeScript type of each PostgreSQL type, as pg takes it and as the pools of src/platform/database return it. */
const SAME_BOTH_WAYS: Record<string, string> = {
  bool: "boolean",
  int2: "number",
  int4: "number",
  int8: "number",
  oid: "number",
  float4: "number",
  float8: "number",
  text: "string",
  varchar: "string",
  bpchar: "string",
  name: "string",
  uuid: "string",
  date: "string",
  bytea: "Buffer",
  timestamptz: "Date",
};
const PARAMETER_TYPES: Record<string, string> = {
  ...SAME_BOTH_WAYS,
  numeric: "number | string",
  // As text: pg would turn an array into an array of PostgreSQL.
  json: "string",
  jsonb: "string",
};
const COLUMN_TYPES: Record<string, string> = {
  ...SAME_BOTH_WAYS,
  numeric: "string",
  json: "unknown",
  jsonb: "unknown",
  void: "unknown",
};

/** The TypeScript types that a header may narrow: for these the database knows no more. */
export const isNarrowable = (type: string): boolean => /^(readonly )?(string|unknown)(\[\])?$/.test(type);

export const parameterType = (catalog: Catalog, type: number, hasNullableElements: boolean): string => {
  const { name, element } = entryOf(catalog, type);
  if (element === 0) return known(PARAMETER_TYPES, name);
  const item = known(PARAMETER_TYPES, entryOf(catalog, element).name);
  const items = hasNullableElements ? `${item} | null` : item;
  return `readonly ${items.includes("|") ? `(${items})` : items}[]`;
};

export const columnType = (catalog: Catalog, type: number): string => {
  const { name, element } = entryOf(catalog, type);
  return element === 0
    ? known(COLUMN_TYPES, name)
    : `${known(COLUMN_TYPES, entryOf(catalog, element).name)}[]`;
};

const entryOf = ({ types }: Catalog, type: number) => types.get(type) ?? { name: `type ${type}`, element: 0 };

function known(names: Record<string, string>, name: string): string {
  const type = names[name];
  if (type) return type;
  throw new Error(
    `The type ${name} has no TypeScript type here; cast it to one of ${Object.keys(names).join(", ")}.`,
  );
}
