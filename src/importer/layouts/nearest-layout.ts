import type { Layout } from "./layout.ts";
import { LAYOUTS } from "./layouts.ts";
import { UNUSED_LAYOUTS } from "./unused-layouts.ts";

/** A file matches a layout only with at least this share of its columns. */
const LEAST_SHARE = 0.6;

/** The layout that best matches a header or the fields of JSON rows. */
export function layoutOf(columns: readonly string[]): Layout | undefined {
  const names = new Set(columns);
  let nearest: { layout: Layout; known: number } | undefined;
  for (const layout of LAYOUTS) {
    const { aliases, header = layout.columns } = layout;
    if (shareOf(layout.columns, names, aliases) < LEAST_SHARE) continue;
    // Insurance files share most of their columns: choose the layout that knows most of the columns found.
    const known = countOf(header, names, aliases);
    if (known > (nearest?.known ?? 0)) nearest = { layout, known };
  }
  return nearest?.layout;
}

/** The title of the file, known but not imported, that has this portal id or these columns. */
export function unusedTitle(columns: readonly string[], socrataId: string | null = null): string | undefined {
  const byId = UNUSED_LAYOUTS.find(({ socrataIds }) => socrataId !== null && socrataIds.includes(socrataId));
  if (byId) return byId.title;
  const names = new Set(columns);
  const own = layoutOf(columns);
  let nearest = {
    title: own?.title,
    share: own ? shareOf(own.columns, names, own.aliases) : LEAST_SHARE,
    isOwn: true,
  };
  for (const layout of UNUSED_LAYOUTS) {
    const share = shareOf(layout.columns, names);
    if (share > nearest.share) nearest = { title: layout.title, share, isOwn: false };
  }
  return nearest.isOwn ? undefined : nearest.title;
}

const shareOf = (columns: readonly string[], names: ReadonlySet<string>, aliases?: Layout["aliases"]) =>
  countOf(columns, names, aliases) / Math.max(columns.length, 1);

function countOf(
  columns: readonly string[],
  names: ReadonlySet<string>,
  aliases: Readonly<Record<string, string>> = {},
): number {
  const otherNames = new Set([...names].map((name) => aliases[name]));
  return columns.filter((column) => names.has(column) || otherNames.has(column)).length;
}
