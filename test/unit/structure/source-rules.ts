import path from "node:path";
import ts from "typescript";
import { callsDriver, FILES_WITH_SQL, isSqlOrRunner, mayCallDriver, runsFixedText } from "./sql-places.ts";

/** A rule about one source file. It returns the texts of the parts that break it. */
interface SourceRule {
  name: string;
  /** Whether the rule applies to the file with this path, relative to the project's folder. */
  isAbout(file: string): boolean;
  faultsIn(source: ts.SourceFile): string[];
}

const isEntryPoint = (file: string): boolean => /^src\/(api|pages|mcp|cli)\//.test(file);
const isHandler = (file: string): boolean => file.startsWith("src/api/handlers/");

function nodesOf(node: ts.Node): ts.Node[] {
  const nodes = [node];
  ts.forEachChild(node, (child) => {
    nodes.push(...nodesOf(child));
  });
  return nodes;
}

/** The texts of the nodes for which a condition is true. */
const textsOf = (source: ts.SourceFile, isFault: (node: ts.Node) => boolean): string[] =>
  nodesOf(source)
    .filter(isFault)
    .map((node) => node.getText(source));

/** Whether a node names a member: `x.member`, `x["member"]`, or a destructuring of it. */
function namesMember(node: ts.Node, member: string): boolean {
  if (ts.isPropertyAccessExpression(node)) return node.name.text === member;
  if (ts.isElementAccessExpression(node)) {
    return ts.isStringLiteralLike(node.argumentExpression) && node.argumentExpression.text === member;
  }
  if (!ts.isBindingElement(node) || !ts.isObjectBindingPattern(node.parent)) return false;
  const key = node.propertyName ?? node.name;
  return (ts.isIdentifier(key) || ts.isStringLiteralLike(key)) && key.text === member;
}

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

/** The values that a file imports, as `name from module`. */
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

/** The rules that neither the compiler nor dependency-cruiser can check. */
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
    name: "SQL is in .sql files, and in the files that can't do without",
    isAbout: (file) => !FILES_WITH_SQL.includes(file),
    faultsIn: (source) => textsOf(source, isSqlOrRunner),
  },
  {
    name: "SQL runs through src/platform/database",
    isAbout: (file) => !mayCallDriver(file),
    faultsIn: (source) => textsOf(source, callsDriver),
  },
  {
    name: "a text that is always the same is a .sql file",
    isAbout: () => true,
    faultsIn: (source) => textsOf(source, runsFixedText),
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

/** The broken rules of a file with the text that breaks each, one line each. */
export function faultsOf(file: string, text: string): string[] {
  const source = ts.createSourceFile(path.basename(file), text, ts.ScriptTarget.ESNext, true);
  return SOURCE_RULES.filter(({ isAbout }) => isAbout(file)).flatMap(({ name, faultsIn }) =>
    faultsIn(source).map((fault) => `${name}: ${fault}`),
  );
}
