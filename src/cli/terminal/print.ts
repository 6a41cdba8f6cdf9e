/** Aligns rows in columns under their headings; numbers at the right. */
export function table(
  headings: readonly string[],
  rows: readonly (readonly (string | number)[])[],
): string[] {
  const widths = headings.map((heading, column) =>
    Math.max(heading.length, ...rows.map((row) => String(row[column] ?? "").length)),
  );
  const line = (cells: readonly (string | number)[]) =>
    cells
      .map((cell, column) => {
        const width = widths[column] ?? 0;
        return typeof cell === "number" ? String(cell).padStart(width) : cell.padEnd(width);
      })
      .join("  ")
      .trimEnd();
  return [line(headings), ...rows.map(line)];
}

/** A whole number with separators: 1,234. */
export const count = (value: number): string => value.toLocaleString("en-US");

/** Parts of an output with an empty line between them. Parts without lines are left out. */
export const separated = (parts: readonly (readonly string[])[]): string[] =>
  parts.filter((lines) => lines.length > 0).flatMap((lines, index) => (index === 0 ? lines : ["", ...lines]));
