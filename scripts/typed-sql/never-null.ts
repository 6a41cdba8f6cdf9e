// Which columns of a statement's result are never null. A column may be null unless the opposite is certain.
import { isNeverNull } from "./expressions.ts";
import { factName } from "./facts.ts";
import { COMMAND, type TreeNode } from "./parse-tree.ts";
import { type ColumnRules, type Knowledge, openScope, type Scope, scopeAbove } from "./scope.ts";

/** For each column of a query's result, whether it is never null. */
export function neverNullColumns(query: TreeNode, known: Knowledge, parent: Scope | null = null): boolean[] {
  const scope = openScope(query, parent, known, RULES);
  const operations = query.node("setOperations");
  if (operations) return ofOperations(operations, scope);
  return outputOf(query).map((entry) => isNeverNull(entry.node("expr"), scope));
}

/** The expressions of the columns of a query's result. */
function outputOf(query: TreeNode): TreeNode[] {
  const isSelect = query.number("commandType") === COMMAND.select;
  return query.nodes(isSelect ? "targetList" : "returningList").filter((entry) => !entry.is("resjunk"));
}

const UNION = 1;
const INTERSECT = 2;

function ofOperations(part: TreeNode, scope: Scope): boolean[] {
  if (part.tag === "RANGETBLREF") {
    const query = tableOf(scope, part.number("rtindex"))?.node("subquery");
    return query ? neverNullColumns(query, scope.known, scope) : [];
  }
  const [left = [], right = []] = ["larg", "rarg"]
    .flatMap((name) => part.node(name) ?? [])
    .map((side) => ofOperations(side, scope));
  const operation = part.number("op");
  if (operation === UNION) return left.map((is, column) => is && right[column] === true);
  if (operation === INTERSECT) return left.map((is, column) => is || right[column] === true);
  return left;
}

const tableOf = (scope: Scope, index: number): TreeNode | undefined => scope.query.nodes("rtable")[index - 1];

/** Whether a column that an expression names is never null there. */
function isColumnNeverNull(variable: TreeNode, from: Scope): boolean {
  const scope = scopeAbove(from, variable.number("varlevelsup"));
  if (scope === null || variable.number("varreturningtype") !== 0) return false;
  // A MERGE also returns rows without a row of the other side; ROLLUP and similar clauses leave columns out.
  if (scope.query.number("commandType") === COMMAND.merge) return false;
  if (scope.query.nodes("groupingSets").length > 0) return false;
  if (scope.facts.has(factName(variable))) return true;
  if (variable.words("varnullingrels").length > 0) return false;
  const table = tableOf(scope, variable.number("varno"));
  return table !== undefined && isTableColumnNeverNull(table, variable.number("varattno"), scope);
}

const TABLE = { relation: 0, subquery: 1, join: 2, function: 3, values: 5, with: 6, group: 9 } as const;

function isTableColumnNeverNull(table: TreeNode, column: number, scope: Scope): boolean {
  switch (table.number("rtekind")) {
    case TABLE.relation:
      return isStoredColumnNeverNull(table, column, scope);
    case TABLE.subquery: {
      const query = table.node("subquery");
      return query !== null && neverNullColumns(query, scope.known, scope)[column - 1] === true;
    }
    case TABLE.join:
      return isNeverNull(table.nodes("joinaliasvars")[column - 1] ?? null, scope);
    case TABLE.function:
      return isFunctionColumnNeverNull(table, column, scope);
    case TABLE.values:
      return table.lists("values_lists").every((row) => isNeverNull(row[column - 1] ?? null, scope));
    case TABLE.with:
      return ofWith(table, scope)?.[column - 1] ?? false;
    case TABLE.group:
      return isNeverNull(table.nodes("groupexprs")[column - 1] ?? null, scope);
    default:
      return false;
  }
}

function isStoredColumnNeverNull(table: TreeNode, column: number, scope: Scope): boolean {
  const { catalog } = scope.known;
  const view = catalog.views.get(table.word("relid"));
  if (view) return neverNullColumns(view, scope.known)[column - 1] === true;
  // Columns with numbers below zero are system columns, such as ctid.
  return column < 0 || catalog.notNull.has(`${table.word("relid")}.${column}`);
}

/** Functions whose rows have no null. */
const NEVER_NULL_ROWS = new Set([
  "generate_series",
  "json_object_keys",
  "jsonb_object_keys",
  "json_array_elements",
  "jsonb_array_elements",
  "regexp_split_to_table",
]);

function isFunctionColumnNeverNull(table: TreeNode, column: number, scope: Scope): boolean {
  const functions = table.nodes("functions");
  const columns = functions.reduce((sum, each) => sum + each.number("funccolcount"), 0);
  if (table.is("funcordinality") && column === columns + 1) return true;
  // Of several functions, those with fewer rows get nulls.
  const [only] = functions;
  const call = only?.node("funcexpr");
  if (!call || functions.length > 1 || columns > 1) return false;
  if (!call.is("funcretset")) return isNeverNull(call, scope);
  const { catalog, nullable } = scope.known;
  const called = catalog.functions.get(call.word("funcid"));
  if (!called?.isBuiltIn) return false;
  const [array] = call.nodes("args");
  const isParameter = array?.tag === "PARAM" && array.number("paramkind") === 0;
  if (called.name === "unnest" && isParameter) return !nullable.elements.has(array.number("paramid"));
  return NEVER_NULL_ROWS.has(called.name);
}

function ofWith(table: TreeNode, from: Scope): readonly boolean[] | null {
  const scope = scopeAbove(from, table.number("ctelevelsup"));
  const name = table.word("ctename");
  const query = scope?.query
    .nodes("cteList")
    .find((each) => each.word("ctename") === name)
    ?.node("ctequery");
  if (!scope || !query) return null;
  const found = scope.withQueries.get(name);
  if (found) return found;
  // A recursive query's reference to itself counts as never null: that is right if its first rows are never null.
  if (found === null) return outputOf(query).map(() => true);
  scope.withQueries.set(name, null);
  const columns = neverNullColumns(query, scope.known, scope);
  scope.withQueries.set(name, columns);
  return columns;
}

const RULES: ColumnRules = {
  isColumnNeverNull,
  columnsOf: (query, parent) => neverNullColumns(query, parent.known, parent),
};
