/** A recorded value as text, as CSV has it: the values of a list are joined. */
export const textOf = (value: unknown): string | null =>
  value === null
    ? null
    : Array.isArray(value)
      ? value.join(";")
      : typeof value === "object"
        ? JSON.stringify(value)
        : String(value);
