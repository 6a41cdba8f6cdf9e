import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";

/** The owners of tables. A module is a folder of src, such as src/feeds. */
export interface Owners {
  /** Table → module. */
  tables: ReadonlyMap<string, string>;
  /** Schema whose tables prisma/schema does not list → module. */
  schemas: ReadonlyMap<string, string>;
  /** Prisma's accessor, such as webhookEndpoint → table. */
  accessors: ReadonlyMap<string, string>;
}

const OWNER_LINE =
  /^\/\/\/ .*Owner of this file's tables(?: and of schema (?<schema>\w+))?: (?<module>src\/\w+)\.$/m;
const MODEL = /^model (?<model>\w+) \{[\s\S]*?^ {2}@@map\("(?<table>\w+)"\)/gm;

/** Reads the owners from files of prisma/schema, by name. Throws for a file with tables and without an owner. */
export function ownersOf(schemaFiles: ReadonlyMap<string, string>): Owners {
  const tables = new Map<string, string>();
  const schemas = new Map<string, string>();
  const accessors = new Map<string, string>();
  for (const [name, text] of schemaFiles) {
    const { schema, module } = OWNER_LINE.exec(text)?.groups ?? {};
    for (const { groups } of text.matchAll(MODEL)) {
      const { model = "", table = "" } = groups ?? {};
      if (module === undefined) {
        throw new Error(`${name} needs a line "/// … Owner of this file's tables: src/<module>."`);
      }
      tables.set(table, module);
      accessors.set(model.charAt(0).toLowerCase() + model.slice(1), table);
    }
    if (schema !== undefined && module !== undefined) schemas.set(schema, module);
  }
  return { tables, schemas, accessors };
}

/** Every file of prisma/schema. */
export function readSchemaFiles(root: string): Map<string, string> {
  const folder = path.join(root, "prisma/schema");
  return new Map(readdirSync(folder).map((name) => [name, readFileSync(path.join(folder, name), "utf8")]));
}
