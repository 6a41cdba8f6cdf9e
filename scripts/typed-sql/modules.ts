import path from "node:path";
import type { Lock } from "./lock.ts";
import type { Sql, Statement } from "./statements.ts";

const RUNNERS = { one: "one", "one?": "oneOrNone", many: "many", exec: "exec" } as const;

/** The typed module of each folder with statements, by its path below src/generated/sql. */
export function sqlModules(sql: Sql, lock: Lock): Map<string, string> {
  const folders = Map.groupBy(sql.statements.values(), ({ folder }) => folder);
  return new Map(
    [...folders].map(([folder, group]) => [`${folder}.ts`, moduleText(folder, group, sql, lock)]),
  );
}

function moduleText(folder: string, statements: readonly Statement[], sql: Sql, lock: Lock): string {
  // A module lies in src/generated/sql/<folder>.ts.
  const up = "../".repeat(folder.split("/").length + 1);
  const runners = [...new Set(statements.map(({ kind }) => RUNNERS[kind]))].sort();
  const parts = [...sql.parts].filter(([at]) => path.posix.dirname(at) === folder);
  return [
    `// Written by \`npm run generate\` from the .sql files of src/${folder} and prisma/sql-types.lock. Don't edit it.`,
    `import { ${runners.join(", ")} } from "${up}platform/database/statement.ts";`,
    ...typeImports(folder, statements, up),
    ...statements.flatMap((statement) => ["", ...functionOf(statement, lock)]),
    ...(parts.length === 0 ? [] : ["", ...partsOf(parts)]),
    "",
  ].join("\n");
}

function typeImports(folder: string, statements: readonly Statement[], up: string): string[] {
  const imported = statements.flatMap(({ header }) =>
    [...header.types.values()].flatMap(({ text, importedFrom }) =>
      importedFrom === null
        ? []
        : [{ name: text.replace(/\[\]$/, ""), from: path.posix.join(folder, importedFrom) }],
    ),
  );
  return [...Map.groupBy(imported, ({ from }) => from)].sort().map(([from, items]) => {
    const names = [...new Set(items.map(({ name }) => name))].sort();
    return `import type { ${names.join(", ")} } from "${up}${from}";`;
  });
}

/** Text of the types of a statement and of the function that runs it. */
function functionOf({ path: at, name, kind, header, text }: Statement, lock: Lock): string[] {
  // A statement that the lock file does not know has some type, so that the generator of the lock file can run.
  const { parameters = "{}", columns = "{}" } = lock.types.get(at) ?? {};
  const typeName = `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
  const hasParameters = header.parameters.length > 0;
  const hasRows = kind !== "exec";
  const types = [hasParameters ? `${typeName}Params` : "void", ...(hasRows ? [`${typeName}Row`] : [])];
  return [
    ...(hasParameters ? [`export interface ${typeName}Params ${parameters}`] : []),
    ...(hasRows ? [`export interface ${typeName}Row ${columns}`] : []),
    ...(header.description === "" ? [] : [`/** ${header.description.replaceAll("\n", "\n * ")} */`]),
    `export const ${name} = ${RUNNERS[kind]}<${types.join(", ")}>({`,
    `  name: ${JSON.stringify(at)},`,
    `  params: [${header.parameters.map((parameter) => JSON.stringify(parameter.name)).join(", ")}],`,
    ...(header.isPlannedOnce ? ["  isPlannedOnce: true,"] : []),
    `  text: \`${quoted(text)}\`,`,
    "});",
  ];
}

const partsOf = (parts: readonly (readonly [string, string])[]): string[] => [
  "/** SQL that the program joins to statements. */",
  "export const parts = {",
  ...parts.map(([at, text]) => `  ${path.posix.basename(at)}: \`${quoted(text)}\`,`),
  "};",
];

const quoted = (text: string): string => text.replace(/[\\`]|\$\{/g, "\\$&");
