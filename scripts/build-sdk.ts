// Builds the TypeScript SDK, packages/sdk/dist: `npm run build -w packages/sdk`. `npm pack` and `npm publish` run it too.
import { execFileSync } from "node:child_process";
import { glob, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import "./generate-sdk.ts";

const root = path.join(import.meta.dirname, "..");
const dist = path.join(root, "packages/sdk/dist");

await rm(dist, { recursive: true, force: true });
const compiler = path.join(root, "node_modules/typescript/bin/tsc");
execFileSync(process.execPath, [compiler, "-p", "packages/sdk"], { cwd: root, stdio: "inherit" });

// The compiler writes `./file.js` into code but leaves `./file.ts` in declarations, which older compilers refuse.
for await (const name of glob("**/*.d.ts", { cwd: dist })) {
  const file = path.join(dist, name);
  const text = await readFile(file, "utf8");
  await writeFile(file, text.replaceAll(/((?:from|import|import\() ?["']\.[^"']*)\.ts(?=["'])/g, "$1.js"));
}
