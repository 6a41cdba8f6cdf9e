import type { Catalog } from "./catalog.ts";
import { COMMAND, type TreeNode } from "./parse-tree.ts";

const NONE: ReadonlySet<string> = new Set();

/** The name of a column of this query among facts, with the outer joins that may have made it null before. */
export const factName = (variable: TreeNode): string =>
  `${variable.word("varno")}.${variable.word("varattno")}.${variable.words("varnullingrels").join(",")}`;

/** The columns that are not null in any row that passes WHERE and the inner joins of a query. */
export function factsOf(query: TreeNode, catalog: Catalog): ReadonlySet<string> {
  const from = query.node("jointree");
  if (from === null || query.number("commandType") === COMMAND.merge) return NONE;
  const facts = joinFacts(from, catalog);
  if (query.number("commandType") !== COMMAND.update) return facts;
  // An UPDATE returns the new row.
  const target = `${query.number("resultRelation")}.`;
  return new Set([...facts].filter((fact) => !fact.startsWith(target)));
}

const INNER = 0;

function joinFacts(from: TreeNode, catalog: Catalog): ReadonlySet<string> {
  if (from.tag === "FROMEXPR") {
    return union([
      holds(from.node("quals"), catalog),
      ...from.nodes("fromlist").map((item) => joinFacts(item, catalog)),
    ]);
  }
  if (from.tag !== "JOINEXPR" || from.number("jointype") !== INNER) return NONE;
  const sides = ["larg", "rarg"].flatMap((name) => from.node(name) ?? []);
  return union([holds(from.node("quals"), catalog), ...sides.map((side) => joinFacts(side, catalog))]);
}

/** The columns that are not null when a condition is true. */
function holds(condition: TreeNode | null, catalog: Catalog): ReadonlySet<string> {
  if (condition === null) return NONE;
  const args = condition.nodes("args");
  switch (condition.tag) {
    case "BOOLEXPR":
      return holdsAll(condition, args, catalog);
    case "NULLTEST": {
      const arg = condition.node("arg");
      const isNotNull = condition.number("nulltesttype") === 1 && !condition.is("argisrow");
      return isNotNull ? strictly(arg, catalog) : NONE;
    }
    case "BOOLEANTEST":
      // IS TRUE, IS FALSE, IS NOT UNKNOWN; the others accept null.
      return [0, 2, 5].includes(condition.number("booltesttype"))
        ? strictly(condition.node("arg"), catalog)
        : NONE;
    case "SCALARARRAYOPEXPR": {
      // For an empty array, ANY is never true, but ALL is.
      const isStrict = condition.is("useOr") && catalog.operators.get(condition.word("opno"))?.isStrict;
      return isStrict ? strictly(args[0], catalog) : NONE;
    }
    case "SUBLINK":
      return condition.number("subLinkType") === ANY_SUBLINK
        ? strictly(condition.node("testexpr"), catalog)
        : NONE;
    default:
      return strictly(condition, catalog);
  }
}

function holdsAll(condition: TreeNode, args: readonly TreeNode[], catalog: Catalog): ReadonlySet<string> {
  const each = args.map((arg) => holds(arg, catalog));
  if (condition.word("boolop") === "and") return union(each);
  if (condition.word("boolop") === "or") return intersection(each);
  return strictly(args[0], catalog);
}

const ANY_SUBLINK = 2;

/** The columns each of which makes the whole expression null when it is null. */
function strictly(expression: TreeNode | null | undefined, catalog: Catalog): ReadonlySet<string> {
  if (!expression) return NONE;
  const ofArguments = () => union(expression.nodes("args").map((arg) => strictly(arg, catalog)));
  switch (expression.tag) {
    case "VAR":
      return expression.number("varlevelsup") === 0 ? new Set([factName(expression)]) : NONE;
    case "RELABELTYPE":
    case "COERCEVIAIO":
    case "COLLATEEXPR":
      return strictly(expression.node("arg"), catalog);
    case "OPEXPR":
      return catalog.operators.get(expression.word("opno"))?.isStrict ? ofArguments() : NONE;
    case "FUNCEXPR":
      return catalog.functions.get(expression.word("funcid"))?.isStrict && !expression.is("funcretset")
        ? ofArguments()
        : NONE;
    default:
      return NONE;
  }
}

const union = (sets: ReadonlySet<string>[]): ReadonlySet<string> =>
  sets.reduce((all, set) => all.union(set), NONE);

const intersection = (sets: ReadonlySet<string>[]): ReadonlySet<string> =>
  sets.reduce((common, set) => common.intersection(set));
