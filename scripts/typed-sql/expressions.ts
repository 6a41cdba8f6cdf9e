import { AGGREGATES, isAlwaysGiven, keepsNotNull, operatorKeepsNotNull } from "./built-ins.ts";
import type { TreeNode } from "./parse-tree.ts";
import type { Scope } from "./scope.ts";

/** Whether an expression of the query is never null. */
export function isNeverNull(expression: TreeNode | null, scope: Scope): boolean {
  if (expression === null) return false;
  const is = (part: TreeNode | null) => isNeverNull(part, scope);
  const args = expression.nodes("args");
  switch (expression.tag) {
    case "CONST":
      return !expression.is("constisnull");
    case "PARAM":
      return isParameterNeverNull(expression, scope);
    case "VAR":
      return scope.rules.isColumnNeverNull(expression, scope);
    case "NULLTEST":
    case "BOOLEANTEST":
    case "DISTINCTEXPR":
    case "GROUPINGFUNC":
    case "ARRAYEXPR":
    case "ROWEXPR":
      return true;
    case "RELABELTYPE":
    case "COERCEVIAIO":
    case "COLLATEEXPR":
    case "ARRAYCOERCEEXPR":
    case "COERCETODOMAIN":
      return is(expression.node("arg"));
    case "BOOLEXPR":
      return args.every(is);
    case "ROWCOMPAREEXPR":
      return [...expression.nodes("largs"), ...expression.nodes("rargs")].every(is);
    case "COALESCEEXPR":
    case "MINMAXEXPR":
      return args.some(is);
    case "CASEEXPR":
      return [...args.map((when) => when.node("result")), expression.node("defresult")].every(is);
    case "OPEXPR":
      return operatorKeepsNotNull(operatorOf(expression, scope)) && args.every(is);
    case "SCALARARRAYOPEXPR":
      return (
        operatorKeepsNotNull(operatorOf(expression, scope)) &&
        is(args[0] ?? null) &&
        isArrayWithoutNull(args[1], scope)
      );
    case "FUNCEXPR":
      return isCallNeverNull(expression, scope);
    case "AGGREF":
      return isAggregateNeverNull(expression, scope);
    case "WINDOWFUNC":
      return isBuiltIn(expression.word("winfnoid"), AGGREGATES.counting, scope);
    case "SUBLINK":
      return isSublinkNeverNull(expression, scope);
    case "SQLVALUEFUNCTION":
      // The dates and times; the session's names may be null.
      return expression.number("op") <= 9;
    default:
      return false;
  }
}

const OF_STATEMENT = 0;

const isParameterNeverNull = (parameter: TreeNode, { known }: Scope): boolean =>
  parameter.number("paramkind") === OF_STATEMENT &&
  !known.nullable.parameters.has(parameter.number("paramid"));

const operatorOf = (expression: TreeNode, { known }: Scope) =>
  known.catalog.operators.get(expression.word("opno"));

function isCallNeverNull(call: TreeNode, scope: Scope): boolean {
  // In a list of columns, a function that returns rows gets nulls beside a longer one.
  if (call.is("funcretset")) return false;
  const called = scope.known.catalog.functions.get(call.word("funcid"));
  if (isAlwaysGiven(called)) return !call.is("funcvariadic");
  return keepsNotNull(called) && call.nodes("args").every((arg) => isNeverNull(arg, scope));
}

const isBuiltIn = (oid: string, names: ReadonlySet<string>, scope: Scope): boolean => {
  const called = scope.known.catalog.functions.get(oid);
  return called?.isBuiltIn === true && names.has(called.name);
};

function isAggregateNeverNull(aggregate: TreeNode, scope: Scope): boolean {
  const oid = aggregate.word("aggfnoid");
  if (aggregate.word("aggkind") !== "n") return false;
  if (isBuiltIn(oid, AGGREGATES.counting, scope)) return true;
  // Only a group certainly has a row.
  const isOfGroup =
    aggregate.number("agglevelsup") === 0 &&
    scope.query.nodes("groupClause").length > 0 &&
    scope.query.nodes("groupingSets").length === 0 &&
    aggregate.node("aggfilter") === null;
  if (!isOfGroup) return false;
  if (isBuiltIn(oid, AGGREGATES.collecting, scope)) return true;
  return (
    isBuiltIn(oid, AGGREGATES.folding, scope) &&
    aggregate.nodes("args").every((arg) => isNeverNull(arg.node("expr"), scope))
  );
}

const SUBLINK = { exists: 0, value: 4, array: 6 } as const;

function isSublinkNeverNull(sublink: TreeNode, scope: Scope): boolean {
  const kind = sublink.number("subLinkType");
  if (kind === SUBLINK.exists || kind === SUBLINK.array) return true;
  const query = sublink.node("subselect");
  if (kind !== SUBLINK.value || !query || !hasAlwaysOneRow(query)) return false;
  return scope.rules.columnsOf(query, scope)[0] === true;
}

/** Whether a query always returns one row: an aggregate of all rows, or values without any table. */
function hasAlwaysOneRow(query: TreeNode): boolean {
  const isCut = ["limitCount", "limitOffset", "havingQual", "setOperations"].some(
    (name) => query.node(name) !== null,
  );
  if (isCut || query.nodes("groupClause").length > 0 || query.nodes("groupingSets").length > 0) return false;
  if (query.is("hasTargetSRFs")) return false;
  if (query.is("hasAggs")) return true;
  const from = query.node("jointree");
  return from !== null && from.nodes("fromlist").length === 0 && from.node("quals") === null;
}

function isArrayWithoutNull(array: TreeNode | undefined, scope: Scope): boolean {
  if (array?.tag === "ARRAYEXPR") return array.nodes("elements").every((item) => isNeverNull(item, scope));
  if (array?.tag !== "PARAM" || !isParameterNeverNull(array, scope)) return false;
  return !scope.known.nullable.elements.has(array.number("paramid"));
}
