import ts from "typescript";

/** The files that hold SQL, by the reason why it can't be a typed statement. */
const SQL_FILES: Readonly<Record<string, readonly string[]>> = {
  "names the table of a feed's version": [
    "src/carriers/explain/explain.ts",
    "src/feeds/names/names.ts",
    "src/feeds/publish/build.ts",
    "src/feeds/publish/step.ts",
    "src/feeds/publish/version-changes.ts",
    "src/feeds/records/business-rows.ts",
    "src/feeds/row-files/read-lines.ts",
    "src/feeds/row-files/row-file.ts",
    "src/feeds/versions/removals.ts",
    "src/feeds/sync/version-rows.ts",
    "src/feeds/versions/feeds-list.ts",
    "src/feeds/versions/packing.ts",
    "src/feeds/versions/version-columns.ts",
  ],
  "names every table of the catalogue": [
    "src/backup/backup.ts",
    "src/backup/load.ts",
    "src/backup/target.ts",
  ],
  "names a table of the retention's list, or a month of it": ["src/retention/clear.ts"],
  "joins a feed's rules to one statement": [
    "src/carriers/explain/feed-membership.ts",
    "src/feeds/derive/candidates.ts",
    "src/feeds/publish/build.ts",
  ],
  "names the table or the columns of a dataset": [
    "src/importer/checks/check-half-old.ts",
    "src/importer/checks/check-lost-rows.ts",
    "src/importer/checks/former-rows.ts",
    "src/importer/stage/stage.ts",
    "src/registry/changes/change-statement.ts",
    "src/registry/changes/record-changes.ts",
    "src/registry/authorities/update-registry.ts",
    "src/registry/merge/column-changes.ts",
    "src/registry/merge/fill-table.ts",
    "src/registry/merge/merge.ts",
    "src/registry/merge/merge-statements.ts",
    "src/registry/sources.ts",
    "src/registry/vocabularies/words.ts",
  ],
  "names each column of a wide table once": ["src/registry/authorities/authorities.ts"],
  "counts in a table that its caller names": ["src/platform/http/client.ts"],
  "names a role of PostgreSQL": ["src/platform/database/lesser-role.ts"],
  "runs before the tables are there": [
    "src/platform/database/create-database.ts",
    "src/platform/database/migrate.ts",
    "src/platform/embedded/presence.ts",
  ],
  "is what the others run SQL through": [
    "src/platform/database/copy.ts",
    "src/platform/database/statement.ts",
    "src/platform/database/transaction.ts",
  ],
};
export const FILES_WITH_SQL: readonly string[] = Object.values(SQL_FILES).flat();

/** Whether a file may call the driver itself. The others call functions of src/platform/database. */
export const mayCallDriver = (file: string): boolean =>
  /^src\/platform\/(database\/|embedded\/presence\.ts$)/.test(file);

/** Functions that run a text as SQL. */
const RUNNERS = ["dynamic", "copyFrom", "copyTo"];

const TABLE = String.raw`\s+(?:TEMP|UNLOGGED|TABLE|UNIQUE|INDEX|VIEW|MATERIALIZED|FUNCTION|TRIGGER|SCHEMA|SEQUENCE|DATABASE|ROLE|OR REPLACE)\b`;
const SQL = new RegExp(
  String.raw`^(?:\s|--.*\n)*(?:SELECT\b|INSERT\s+INTO\b|UPDATE\s+(?:\S+\s+(?:AS\s+\w+\s+)?SET\b|$)|DELETE\s+FROM\b` +
    String.raw`|MERGE\s+INTO\b|WITH\s+(?:RECURSIVE\s+)?(?:\w+\s+AS\b|$)|COPY\s|TRUNCATE\b|(?:CREATE|ALTER|DROP)${TABLE}` +
    String.raw`|(?:ANALYZE|VACUUM|LOCK|LISTEN|NOTIFY|GRANT|REINDEX)\s|(?:BEGIN|COMMIT|ROLLBACK|SAVEPOINT)\b` +
    String.raw`|(?:SET|RESET)\s+[a-zA-Z_]+(?:\s*=|\s+(?:TO|LEVEL|ISOLATION)\b|\s*$))`,
);

/** Whether a node is a text that begins as a statement does, or the head of one. */
const isSql = (node: ts.Node): boolean =>
  (ts.isStringLiteralLike(node) || ts.isTemplateHead(node)) && SQL.test(node.text);

/** Whether a node holds SQL, or imports a function that runs it. */
export const isSqlOrRunner = (node: ts.Node): boolean =>
  isSql(node) ||
  (ts.isImportSpecifier(node) && RUNNERS.includes((node.propertyName ?? node.name).text)) ||
  (ts.isPropertyAccessExpression(node) && RUNNERS.includes(node.name.text));

/** Whether a node calls the driver's `query`, or takes it, or sends SQL by the Prisma client. */
export function callsDriver(node: ts.Node): boolean {
  if (ts.isCallExpression(node)) return memberOf(node.expression) === "query";
  return /^\$(?:query|execute)Raw/.test(memberOf(node) ?? "");
}

function memberOf(node: ts.Node): string | undefined {
  if (ts.isPropertyAccessExpression(node)) return node.name.text;
  if (ts.isElementAccessExpression(node) && ts.isStringLiteralLike(node.argumentExpression)) {
    return node.argumentExpression.text;
  }
  return undefined;
}

/** Whether a node gives `dynamic` a text that is always the same. */
export const runsFixedText = (node: ts.Node): boolean =>
  ts.isCallExpression(node) &&
  ts.isIdentifier(node.expression) &&
  node.expression.text === "dynamic" &&
  node.arguments[1] !== undefined &&
  ts.isStringLiteralLike(node.arguments[1]);
