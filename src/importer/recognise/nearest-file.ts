import { OFFICIAL_FILES } from "../official/official-files.ts";
import { UNUSED_FILES } from "../official/unused-files.ts";
import { type OfficialFile, requiredColumns } from "../rows/official-file.ts";

/** A file matches an official one only with at least this share of its columns. */
const LEAST_SHARE = 0.6;

/** The official file that best matches a header or the fields of JSON rows. */
export function officialFileOf(columns: readonly string[]): OfficialFile | undefined {
  const names = new Set(columns);
  let nearest: { official: OfficialFile; known: number } | undefined;
  for (const official of OFFICIAL_FILES) {
    const { aliases, header } = official;
    if (shareOf(requiredColumns(official), names, aliases) < LEAST_SHARE) continue;
    // Insurance files share most of their columns: choose the file that knows most of the columns found.
    const known = countOf(header, names, aliases);
    if (known > (nearest?.known ?? 0)) nearest = { official, known };
  }
  return nearest?.official;
}

/** The title of the file, known but not imported, that has this portal id or these columns. */
export function unusedTitle(columns: readonly string[], portalId: string | null = null): string | undefined {
  const byId = UNUSED_FILES.find(({ ids }) => portalId !== null && ids.includes(portalId));
  if (byId) return byId.title;
  const names = new Set(columns);
  const own = officialFileOf(columns);
  let nearest: { title?: string; share: number } = {
    share: own ? shareOf(requiredColumns(own), names, own.aliases) : LEAST_SHARE,
  };
  for (const { title, header } of UNUSED_FILES) {
    const share = shareOf(header, names);
    if (share > nearest.share) nearest = { title, share };
  }
  return nearest.title;
}

type Aliases = OfficialFile["aliases"];

const shareOf = (columns: readonly string[], names: ReadonlySet<string>, aliases?: Aliases) =>
  countOf(columns, names, aliases) / Math.max(columns.length, 1);

function countOf(columns: readonly string[], names: ReadonlySet<string>, aliases: Aliases = {}): number {
  const otherNames = new Set([...names].map((name) => aliases[name]));
  return columns.filter((column) => names.has(column) || otherNames.has(column)).length;
}
