import { readFileSync } from "node:fs";

/**
 * The text of a .sql file beside the calling module: `loadSql(import.meta.url, "publish.sql")`, once at its top. A line
 * `-- include: part.sql` is replaced by the text of that file.
 */
export function loadSql(moduleUrl: string, fileName: string): string {
  const url = new URL(fileName, moduleUrl);
  return readFileSync(url, "utf8").replace(/^-- include: (\S+)$/gm, (_, part: string) =>
    loadSql(url.href, part),
  );
}
