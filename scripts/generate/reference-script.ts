import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { writeIfChanged } from "./write-if-changed.ts";

/**
 * Copies the script of the reference out of its package, with a line about its licence. The package brings hundreds of
 * files that only its own build needs, so an installation for production goes without it.
 */
export async function writeReferenceScript(outFile: string): Promise<void> {
  const entry = import.meta.resolve("@scalar/api-reference");
  const read = (file: string) => readFile(fileURLToPath(new URL(file, entry)), "utf8");
  const { name, version, license, author, homepage } = JSON.parse(await read("../package.json"));
  const notice = `/*! ${name} ${version} by ${author}, ${license} License, ${homepage} */`;
  const script = (await read("browser/standalone.js")).replace(/^\/\/# sourceMappingURL=.*$/m, "");
  await writeIfChanged(outFile, `${notice}\n${script}`);
}
