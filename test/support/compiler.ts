import path from "node:path";
import ts from "typescript";

const NODE_MODULES = path.join(import.meta.dirname, "../../node_modules");

/** The compiler's errors, in strict TypeScript, about customers' programs and everything that they import. */
export function compilerComplaints(programs: readonly string[]): string[] {
  const program = ts.createProgram([...programs], {
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
  });
  return ts.getPreEmitDiagnostics(program).map(({ file, start, messageText }) => {
    const line = file === undefined ? 0 : file.getLineAndCharacterOfPosition(start ?? 0).line + 1;
    return `${file?.fileName}:${line}: ${ts.flattenDiagnosticMessageText(messageText, " ")}`;
  });
}
