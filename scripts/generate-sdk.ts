// Writes the generated part of the TypeScript SDK, packages/sdk/src/generated, before the SDK is built or packed.
import path from "node:path";
import { readContract } from "./generate/contract/contract.ts";
import { unlessUpToDate } from "./generate/stamp.ts";

const root = path.join(import.meta.dirname, "..");
const folder = "packages/sdk/src/generated";

await unlessUpToDate(root, {
  stamp: `${folder}/.stamp`,
  sources: [
    "openapi.yaml",
    "package.json",
    "package-lock.json",
    "scripts/generate-sdk.ts",
    "scripts/generate",
  ],
  outputs: ["operations", "feeds.ts", "problem-codes.ts", "version.ts"].map((name) => `${folder}/${name}`),
  write: async () => {
    const { writeSdkFiles } = await import("./generate/packages/sdk-files.ts");
    await writeSdkFiles(await readContract(path.join(root, "openapi.yaml")), root, path.join(root, folder));
  },
});
