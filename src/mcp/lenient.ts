/** The part of an argument's schema that says how its value is written. */
interface Written {
  type?: unknown;
  items?: Written;
}

/**
 * An argument in the type of its schema, where a model wrote it in another one and means the same: 4312907 for
 * "4312907", "20" for 20, "true" for true, "TX" or "TX, OK" for a list. Any other value stays, and the schema refuses it.
 */
export function inTypeOf({ type, items = {} }: Written, value: unknown): unknown {
  if (type === "array") return itemsOf(value, items);
  if (type === "string" && typeof value === "number") return String(value);
  if (typeof value !== "string") return value;
  if (type === "integer" && /^-?\d{1,16}$/.test(value)) return Number(value);
  if (type === "boolean" && /^(true|false)$/i.test(value)) return value.toLowerCase() === "true";
  return value;
}

function itemsOf(value: unknown, items: Written): unknown {
  const list = typeof value === "string" ? value.split(",").map((item) => item.trim()) : value;
  return Array.isArray(list) ? list.map((item) => inTypeOf(items, item)) : list;
}
