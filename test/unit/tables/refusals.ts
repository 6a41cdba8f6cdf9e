import { type SourceText, type Write, writesOf } from "./statements.ts";
import type { Owners } from "./table-owners.ts";

/**
 * Statements that write a table whose name is computed at run time, with the reason why the table belongs to the
 * writer's module.
 */
export const COMPUTED_TABLES: Readonly<Record<string, string>> = {
  "src/backup/backup.ts": "locks every table; it writes none",
  "src/backup/load.ts": "loads every table of a backup into a database that it has emptied",
  "src/feeds/publish/build.ts": "makes the table of a version, in schema published",
  "src/importer/stage/stage.ts": "empties the tables of schema staging",
  "src/platform/http/client.ts": "counts into the table of the module that calls it",
  "src/retention/clear.ts":
    "deletes rows past their retention, and drops whole months, of a table of the list",
  "src/registry/authorities/update-registry.ts": "empties the registry's datasets",
  "src/registry/merge/fill-table.ts": "fills a table of the registry, which calls it",
  "src/registry/merge/merge.ts": "runs the statements of merge-statements.ts",
  "src/registry/merge/merge-statements.ts": "merges one of the registry's datasets",
};

/** Tables that prisma/schema does not list → module. */
const UNLISTED_TABLES = new Map([["_prisma_migrations", "src/platform"]]);

/** Tables that only their module may name, and the views that other modules read instead. */
function privateTables({ tables, accessors }: Owners): { table: RegExp; module: string; instead: string }[] {
  const ofSuppression = [...tables]
    .filter(([, module]) => module === "src/suppression")
    .map(([name]) => name);
  const byPrisma = [...accessors].filter(([, table]) => ofSuppression.includes(table)).map(([name]) => name);
  return [
    {
      table: new RegExp(`\\b(?<name>${[...ofSuppression, ...byPrisma].join("|")})\\b`),
      module: "src/suppression",
      instead: "read the views whose names begin with removal_list",
    },
    {
      table:
        /\b(?:FROM|JOIN|USING|LIKE)\s+(?:ONLY\s+)?"?(?<name>event)\b(?!\.)|\bprisma\.(?<accessor>event)\./,
      module: "src/events",
      instead: "read the views visible_event and event_position",
    },
    {
      // Deliveries of changes have the same word as their type.
      table:
        /\b(?:FROM|JOIN|INTO|UPDATE|USING|LIKE)\s+(?:ONLY\s+)?"?(?<name>carrier_change)\b(?!\.)|\bprisma\.(?<accessor>carrierChange)\./,
      module: "src/registry",
      instead: "read the view visible_carrier_change",
    },
  ];
}

/** Say of private tables only how long rows are kept; src/retention/clear.ts deletes by them and shows no row. */
const NAMES_PRIVATE_TABLES = ["src/retention/kept-tables.ts", "src/testmode/running.ts"];

/** Names the texts of src that name or write a table of another module. */
export function refusalsOf(texts: readonly SourceText[], owners: Owners): string[] {
  const named = privateTables(owners).flatMap(({ table, module, instead }) =>
    texts.flatMap(({ file, text }) => {
      const { name, accessor = name } = table.exec(text)?.groups ?? {};
      return accessor === undefined || file.startsWith(`${module}/`) || NAMES_PRIVATE_TABLES.includes(file)
        ? []
        : [`${file} names ${accessor}, which only ${module} does: ${instead}`];
    }),
  );
  const written = writesOf(texts, owners).flatMap((write) => refusalOf(write, owners));
  return [...new Set([...named, ...written])];
}

function refusalOf({ file, table }: Write, { tables, schemas }: Owners): string[] {
  const [schema, name = schema] = table.split(".");
  const owner = schemas.get(schema ?? "") ?? tables.get(name ?? "") ?? UNLISTED_TABLES.get(table);
  if (owner !== undefined) return file.startsWith(`${owner}/`) ? [] : [`${file} writes ${table} of ${owner}`];
  if (!table.includes("<")) return [`${file} writes ${table}, which prisma/schema does not have`];
  return file in COMPUTED_TABLES ? [] : [`${file} writes the computed table ${table}: declare why it may`];
}
