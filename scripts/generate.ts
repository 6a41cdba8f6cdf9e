// `npm run generate` writes everything in src/generated: from openapi.yaml, from the Prisma schema, the script of the reference,
// and the packages that customers download. With --scaffold it also writes a first handler file for every live operation
// that has none.
import { globSync } from "node:fs";
import path from "node:path";
import { readContract } from "./generate/contract.ts";
import { exampleFiles } from "./generate/example-files.ts";
import { endWithoutPackages } from "./generate/missing-packages.ts";
import { scaffoldHandlers } from "./generate/scaffold.ts";
import { unlessUpToDate } from "./generate/stamp.ts";

const root = path.join(import.meta.dirname, "..");
process.on("uncaughtException", endWithoutPackages);

// Every command of the program generates first, so a run without changes must be fast.
await unlessUpToDate(root, {
  stamp: "src/generated/.contract-stamp",
  sources: ["openapi.yaml", "scripts/generate", "package-lock.json"],
  outputs: [
    "openapi.json",
    "problems.ts",
    "operations.ts",
    "feeds.ts",
    "tools.ts",
    "types.ts",
    "webhook-members.ts",
  ].map((name) => `src/generated/${name}`),
  write: async () => {
    const { writeContractFiles } = await import("./generate/contract-files.ts");
    await writeContractFiles(
      await readContract(path.join(root, "openapi.yaml")),
      path.join(root, "src/generated"),
    );
  },
});
await unlessUpToDate(root, {
  stamp: "src/generated/.prisma-stamp",
  sources: ["prisma/schema", "scripts/generate/prisma-client.ts", "package-lock.json"],
  outputs: ["src/generated/prisma"],
  write: async () => {
    const { writePrismaClient } = await import("./generate/prisma-client.ts");
    await writePrismaClient(root);
  },
});
await unlessUpToDate(root, {
  stamp: "src/generated/.reference-stamp",
  sources: ["scripts/generate/reference-script.ts", "package-lock.json"],
  outputs: ["src/generated/scalar.js"],
  write: async () => {
    const { writeReferenceScript } = await import("./generate/reference-script.ts");
    await writeReferenceScript(path.join(root, "src/generated/scalar.js"));
  },
});
await unlessUpToDate(root, {
  stamp: "src/generated/.downloads-stamp",
  sources: [
    "openapi.yaml",
    "package.json",
    "package-lock.json",
    "scripts/generate",
    "scripts/generate-sdk.ts",
    ...["README.md", "package.json", "tsconfig.json"].map((name) => `packages/sdk/${name}`),
    ...globSync("packages/sdk/src/**/*.ts", {
      cwd: root,
      exclude: (name) => name.endsWith("generated"),
    }).sort(),
    "packages/sdk-python",
    ...["README.md", ...exampleFiles(root)].map((name) => `examples/${name}`),
  ],
  outputs: ["downloads.ts", "downloads"].map((name) => `src/generated/${name}`),
  write: async () => {
    await import("./generate-sdk.ts");
    const { writeDownloads } = await import("./generate/downloads.ts");
    await writeDownloads(root, path.join(root, "src/generated"));
  },
});

if (process.argv.includes("--scaffold")) {
  const contract = await readContract(path.join(root, "openapi.yaml"));
  for (const file of await scaffoldHandlers(contract, path.join(root, "src/api/handlers"))) {
    process.stdout.write(`wrote ${path.relative(root, file)}\n`);
  }
}
