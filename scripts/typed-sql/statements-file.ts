import type { Member, StatementTypes } from "./statement-types.ts";

/** A .sql file with the server's description of it. */
export interface DescribedFile extends StatementTypes {
  /** Such as `take-export-slot.sql`. */
  fileName: string;
}

/** The text of a folder's statements.ts. */
export function statementsText(files: readonly DescribedFile[], statementModule: string): string {
  const imports = [
    { name: "statement", from: statementModule },
    ...files.flatMap((file) => file.imports.map(({ name, from }) => ({ name: `type ${name}`, from }))),
  ];
  const byModule = Map.groupBy(imports, ({ from }) => from);
  return [
    "// Written by `npm run generate:sql` from the .sql files of this folder. Don't edit it.",
    ...[...byModule].map(([from, items]) => importLine([...new Set(items.map(({ name }) => name))], from)),
    ...files.map(statementOf),
    "",
  ].join("\n");
}

const importLine = (names: string[], from: string): string =>
  names.every((name) => name.startsWith("type "))
    ? `import type { ${names.map((name) => name.slice(5)).join(", ")} } from "${from}";`
    : `import { ${names.join(", ")} } from "${from}";`;

function statementOf({ fileName, parameters, columns }: DescribedFile): string {
  const name = constantName(fileName);
  const typeName = `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
  const names = parameters.map((parameter) => JSON.stringify(parameter.name)).join(", ");
  return [
    ...interfaceOf(`${typeName}Params`, parameters),
    ...interfaceOf(`${typeName}Row`, columns),
    "",
    `export const ${name} = statement<${parameters.length > 0 ? `${typeName}Params` : "void"}, ${columns.length > 0 ? `${typeName}Row` : "object"}>(`,
    `  import.meta.url,`,
    `  ${JSON.stringify(fileName)},`,
    `  [${names}],`,
    ");",
  ].join("\n");
}

const interfaceOf = (name: string, members: readonly Member[]): string[] =>
  members.length === 0
    ? []
    : ["", `export interface ${name} {`, ...members.map((member) => `  ${propertyOf(member)};`), "}"];

const propertyOf = ({ name, type }: Member): string =>
  `${/^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name)}: ${type}`;

const constantName = (fileName: string): string =>
  fileName.replace(/\.sql$/, "").replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
