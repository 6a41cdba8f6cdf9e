// Builds the TypeScript SDK, packages/sdk/dist: `npm run build -w packages/sdk`. `npm pack` and `npm publish` run it too.
import { mkdir, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { compiledSdk } from "./generate/packages/compiled-sdk.ts";
import "./generate-sdk.ts";

const root = path.join(import.meta.dirname, "..");
const dist = path.join(root, "packages/sdk/dist");

await rm(dist, { recursive: true, force: true });
for (const [name, text] of compiledSdk(root)) {
  const file = path.join(dist, name);
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, text);
}
