import path from "node:path";
import ts from "typescript";

const NODE_MODULES = path.join(import.meta.dirname, "../../node_modules");

const OPTIONS: ts.CompilerOptions = {
  strict: true,
  noUncheckedIndexedAccess: true,
  skipLibCheck: true,
  noEmit: true,
  target: ts.ScriptTarget.ESNext,
  module: ts.ModuleKind.NodeNext,
  lib: ["lib.esnext.d.ts", "lib.dom.d.ts", "lib.dom.iterable.d.ts", "lib.dom.asynciterable.d.ts"],
  types: ["node"],
  typeRoots: [path.join(NODE_MODULES, "@types")],
  customConditions: ["@trucking-data-feed/source"],
  allowImportingTsExtensions: true,
  verbatimModuleSyntax: true,
  erasableSyntaxOnly: true,
};

const host = ts.createCompilerHost(OPTIONS);
const readFile = host.getSourceFile;
const declarations = new Map<string, ReturnType<typeof readFile>>();
// Those of the language and of packages are parsed once for all programs.
host.getSourceFile = (name, ...rest) => {
  if (!name.startsWith(NODE_MODULES)) return readFile(name, ...rest);
  if (!declarations.has(name)) declarations.set(name, readFile(name, ...rest));
  return declarations.get(name);
};

/** The compiler's errors, in strict TypeScript, about customers' programs and everything that they import. */
export function compilerComplaints(programs: readonly string[]): string[] {
  const program = ts.createProgram([...programs], OPTIONS, host);
  return ts.getPreEmitDiagnostics(program).map(({ file, start, messageText }) => {
    const line = file === undefined ? 0 : file.getLineAndCharacterOfPosition(start ?? 0).line + 1;
    return `${file?.fileName}:${line}: ${ts.flattenDiagnosticMessageText(messageText, " ")}`;
  });
}
