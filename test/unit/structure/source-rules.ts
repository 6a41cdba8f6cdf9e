import path from "node:path";
import ts from "typescript";

/** A rule about one source file: gives the parts of the file that break it, as text. */
interface SourceRule {
  name: string;
  /** Whether the rule is about the file at this path, from the project's folder. */
  isAbout(file: string): boolean;
  faultsIn(source: ts.SourceFile): string[];
}

const isEntryPoint = (file: string): boolean => /^src\/(api|pages|mcp|cli)\//.test(file);
const isHandler = (file: string): boolean => /^src\/api\/handlers\/(?!index\.ts$)/.test(file);

function nodesOf(node: ts.Node): ts.Node[] {
  const nodes = [node];
  ts.forEachChild(node, (child) => {
    nodes.push(...nodesOf(child));
  });
  return nodes;
}

/** The texts of the nodes that a condition holds for. */
const textsOf = (source: ts.SourceFile, isFault: (node: ts.Node) => boolean): string[] =>
  nodesOf(source)
    .filter(isFault)
    .map((node) => node.getText(source));

/** Whether a node names a member: `x.member`, `x["member"]`, or a destructuring that takes it. */
function namesMember(node: ts.Node, member: string): boolean {
  if (ts.isPropertyAccessExpression(node)) return node.name.text === member;
  if (ts.isElementAccessExpression(node)) {
    return ts.isStringLiteralLike(node.argumentExpression) && node.argumentExpression.text === member;
  }
  if (!ts.isBindingElement(node) || !ts.isObjectBindingPattern(node.parent)) return false;
  const taken = node.propertyName ?? node.name;
  return (ts.isIdentifier(taken) || ts.isStringLiteralLike(taken)) && taken.text === member;
}

const SQL = /^\s*(SELECT\s|INSERT\s+INTO\s|UPDATE\s+\w+\s+SET\s|DELETE\s+FROM\s|WITH\s+\w+\s+AS\s*\()/;

const isSql = (node: ts.Node): boolean =>
  (ts.isStringLiteralLike(node) || ts.isTemplateHead(node)) && SQL.test(node.text);

const BRANCHES = new Set([
  ts.SyntaxKind.IfStatement,
  ts.SyntaxKind.ConditionalExpression,
  ts.SyntaxKind.SwitchStatement,
  ts.SyntaxKind.ForStatement,
  ts.SyntaxKind.ForInStatement,
  ts.SyntaxKind.ForOfStatement,
  ts.SyntaxKind.WhileStatement,
  ts.SyntaxKind.DoStatement,
  ts.SyntaxKind.TryStatement,
  // && || ?? ?. and their assignments
  ts.SyntaxKind.AmpersandAmpersandToken,
  ts.SyntaxKind.BarBarToken,
  ts.SyntaxKind.QuestionQuestionToken,
  ts.SyntaxKind.QuestionDotToken,
  ts.SyntaxKind.AmpersandAmpersandEqualsToken,
  ts.SyntaxKind.BarBarEqualsToken,
  ts.SyntaxKind.QuestionQuestionEqualsToken,
]);

/** What a file imports at run time, as `name from module`. */
const valuesImported = (source: ts.SourceFile): string[] =>
  source.statements.filter(ts.isImportDeclaration).flatMap((statement) => {
    const clause = statement.importClause;
    const from = (statement.moduleSpecifier as ts.StringLiteral).text;
    if (!clause) return [`everything of ${from}`];
    if (clause.phaseModifier === ts.SyntaxKind.TypeKeyword) return [];
    const bindings = clause.namedBindings;
    if (!bindings || !ts.isNamedImports(bindings) || clause.name) return [`everything of ${from}`];
    const values = bindings.elements.filter(({ isTypeOnly }) => !isTypeOnly);
    return values.map(({ name }) => `${name.text} from ${from}`);
  });

const allButOne = (found: readonly string[], none: string): string[] => {
  if (found.length === 1) return [];
  return found.length === 0 ? [none] : found.slice(1);
};

/** The rules that neither the compiler nor dependency-cruiser can hold. */
export const SOURCE_RULES: readonly SourceRule[] = [
  {
    name: "only src/platform/config/config.ts reads the environment",
    isAbout: (file) => file !== "src/platform/config/config.ts",
    faultsIn: (source) => textsOf(source, (node) => namesMember(node, "env")),
  },
  {
    name: "an entry point does not name the database of its context",
    isAbout: isEntryPoint,
    faultsIn: (source) => textsOf(source, (node) => namesMember(node, "db")),
  },
  {
    name: "an entry point holds no SQL",
    isAbout: isEntryPoint,
    faultsIn: (source) => textsOf(source, isSql),
  },
  {
    name: "a handler does not branch",
    isAbout: isHandler,
    faultsIn: (source) => textsOf(source, ({ kind }) => BRANCHES.has(kind)),
  },
  {
    name: "a handler imports types and one function",
    isAbout: isHandler,
    faultsIn: (source) => allButOne(valuesImported(source), "no function is imported"),
  },
  {
    name: "a handler imports its function from a module of src",
    isAbout: isHandler,
    faultsIn: (source) =>
      valuesImported(source).filter(
        (value) => !/^\S+ from \.\.\/\.\.\/(?!platform\/|generated\/)/.test(value),
      ),
  },
  {
    name: "a handler calls one function, once",
    isAbout: isHandler,
    faultsIn: (source) =>
      allButOne(
        textsOf(source, (node) => ts.isCallExpression(node) || ts.isNewExpression(node)),
        "no function is called",
      ),
  },
];

/** What of a file breaks which rule, one line each. */
export function faultsOf(file: string, text: string): string[] {
  const source = ts.createSourceFile(path.basename(file), text, ts.ScriptTarget.ESNext, true);
  return SOURCE_RULES.filter(({ isAbout }) => isAbout(file)).flatMap(({ name, faultsIn }) =>
    faultsIn(source).map((fault) => `${name}: ${fault}`),
  );
}
