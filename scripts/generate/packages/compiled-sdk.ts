import path from "node:path";
import ts from "typescript";

/** The compiled SDK: the text of each file of its folder `dist`. Throws the compiler's complaints. */
export function compiledSdk(root: string): Map<string, string> {
  const config = path.join(root, "packages/sdk/tsconfig.json");
  const host = { ...ts.sys, onUnRecoverableConfigFileDiagnostic: refuse };
  const { fileNames, options } = ts.getParsedCommandLineOfConfigFile(config, {}, host) ?? refuse();
  const program = ts.createProgram(fileNames, options);
  const [complaint] = ts.getPreEmitDiagnostics(program);
  if (complaint) refuse(complaint);
  const files = new Map<string, string>();
  program.emit(undefined, (file, text) => {
    const name = path.relative(String(options.outDir), file).split(path.sep).join("/");
    files.set(name, name.endsWith(".d.ts") ? withJsNames(text) : text);
  });
  return files;
}

/** The compiler writes `./file.js` into code but leaves `./file.ts` in declarations, which older compilers refuse. */
const withJsNames = (text: string): string =>
  text.replaceAll(/((?:from|import|import\() ?["']\.[^"']*)\.ts(?=["'])/g, "$1.js");

function refuse(complaint?: ts.Diagnostic): never {
  const text = complaint && ts.flattenDiagnosticMessageText(complaint.messageText, "\n");
  throw new Error(`The SDK does not compile. ${complaint?.file?.fileName ?? ""}: ${text}`);
}
