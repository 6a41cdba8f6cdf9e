/** A table as Markdown. `numbers` are the indexes of columns that are aligned right. */
export function markdownTable(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  numbers: readonly number[] = [],
): string {
  const line = (cells: readonly string[]) => `| ${cells.map(cellOf).join(" | ")} |`;
  const rule = head.map((_, index) => (numbers.includes(index) ? "---:" : "---"));
  return [line(head), line(rule), ...rows.map(line)].join("\n");
}

/** A cell is one line, in which a bar would end it. */
const cellOf = (text: string): string =>
  text
    .trim()
    .replace(/\s*\n\s*/g, " ")
    .replaceAll("|", "\\|");
