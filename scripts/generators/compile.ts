import path from "node:path";
import ts from "typescript";

const TYPES = path.join(import.meta.dirname, "../../node_modules/@types");

/**
 * Compiles customers' programs and everything that they import in strict TypeScript; returns the compiler's errors. It
 * writes JavaScript beside them, because some generators' code does not run with only its types stripped.
 */
export function compileStrictly(programs: readonly string[]): string[] {
  const program = ts.createProgram([...programs], {
    strict: true,
    noUncheckedIndexedAccess: true,
    skipLibCheck: true,
    noEmitOnError: true,
    target: ts.ScriptTarget.ESNext,
    module: ts.ModuleKind.NodeNext,
    lib: ["lib.esnext.d.ts", "lib.dom.d.ts", "lib.dom.iterable.d.ts"],
    types: ["node"],
    typeRoots: [TYPES],
    allowImportingTsExtensions: true,
    rewriteRelativeImportExtensions: true,
    verbatimModuleSyntax: true,
  });
  const complaints = ts.getPreEmitDiagnostics(program).map(({ file, start, messageText }) => {
    const line = file === undefined ? 0 : file.getLineAndCharacterOfPosition(start ?? 0).line + 1;
    return `${file?.fileName}:${line}: ${ts.flattenDiagnosticMessageText(messageText, " ")}`;
  });
  if (complaints.length === 0) program.emit();
  return complaints;
}
