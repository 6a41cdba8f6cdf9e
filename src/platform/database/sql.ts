import { readFileSync } from "node:fs";

/** The text of a .sql file beside the calling module: `loadSql(import.meta.url, "publish.sql")`, once at its top. */
export const loadSql = (moduleUrl: string, fileName: string): string =>
  readFileSync(new URL(fileName, moduleUrl), "utf8");
