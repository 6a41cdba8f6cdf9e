import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import ts from "typescript";
import type { Owners } from "./table-owners.ts";

/** SQL of one source file, or another text of it. A value computed at run time is written <name> or <computed>. */
export interface SourceText {
  /** Such as src/feeds/publish/publish.ts. */
  file: string;
  text: string;
}

/** A table that a statement writes. */
export interface Write {
  file: string;
  /** Such as event, staging.census or <table>, which is computed at run time. */
  table: string;
}

/** Every text of src that may be SQL: .sql files without comments, and the string literals of .ts files. */
export function readTexts(root: string): SourceText[] {
  return readdirSync(path.join(root, "src"), { recursive: true, encoding: "utf8" })
    .map((name) => `src/${name.replaceAll(path.sep, "/")}`)
    .filter((file) => /\.(sql|ts)$/.test(file) && !file.startsWith("src/generated/"))
    .flatMap((file) => textsOf(file, readFileSync(path.join(root, file), "utf8")));
}

export function textsOf(file: string, content: string): SourceText[] {
  if (file.endsWith(".sql")) return [{ file, text: content.replace(/--.*$/gm, "") }];
  const found: SourceText[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) {
      found.push({ file, text: node.text });
    } else if (ts.isTemplateExpression(node)) {
      const parts = node.templateSpans.map(
        ({ expression, literal }) =>
          `<${ts.isIdentifier(expression) ? expression.text : "computed"}>${literal.text}`,
      );
      found.push({ file, text: node.head.text + parts.join("") });
    } else if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression)) {
      // Such as context.db.prisma.account.create: kept whole, as PRISMA_WRITE reads it.
      found.push({ file, text: node.expression.getText().replace(/\s+/g, "") });
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, content, ts.ScriptTarget.Latest, true));
  return found;
}

/** The name of a table in SQL, as a regular expression. */
export const TABLE_NAME = String.raw`(?:"?[a-z_]\w*"?\.)?(?:"?[a-z_]\w*"?|<\w+>)`;
const WRITE = new RegExp(
  String.raw`(?:\bINSERT INTO|\bDELETE FROM|\bMERGE INTO|\bCOPY|\bTRUNCATE(?: TABLE)?|\bALTER TABLE` +
    String.raw`|\bDROP TABLE(?: IF EXISTS)?|\bCREATE(?: UNLOGGED)? TABLE(?: IF NOT EXISTS)?` +
    String.raw`|(?<!\b(?:FOR|KEY|DO|AFTER|ON) )\bUPDATE)` +
    String.raw`\s+(?:ONLY\s+)?(?<tables>${TABLE_NAME}(?:\s*,\s*${TABLE_NAME})*)`,
  "g",
);
const TEMPORARY = /\bCREATE TEMP(?:ORARY)? TABLE(?: IF NOT EXISTS)? "?(?<table>\w+)/g;
const PRISMA_WRITE = /\.(?<accessor>\w+)\.(?:create|update|upsert|delete)(?:Many)?(?:AndReturn)?$/;

/** The tables that the texts write, by SQL or by the Prisma client. Temporary tables are left out. */
export function writesOf(texts: readonly SourceText[], { tables, accessors }: Owners): Write[] {
  const temporary = new Set(
    texts
      .flatMap(({ text }) => [...text.matchAll(TEMPORARY)].map(({ groups }) => groups?.table ?? ""))
      .filter((name) => !tables.has(name)),
  );
  return texts.flatMap(({ file, text }) => {
    const accessed = accessors.get(PRISMA_WRITE.exec(text)?.groups?.accessor ?? "");
    const written = [...text.matchAll(WRITE)].flatMap(({ groups }) => groups?.tables?.split(",") ?? []);
    return [...(accessed === undefined ? [] : [accessed]), ...written]
      .map((table) => table.trim().replaceAll('"', ""))
      .filter((table) => !temporary.has(table))
      .map((table) => ({ file, table }));
  });
}
