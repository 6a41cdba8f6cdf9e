// `npm run generate` writes everything in src/generated: from openapi.yaml, from the Prisma schema, the script of the reference,
// and the packages that customers download. With --scaffold it also writes a first handler file for every live operation
// that has none.
import { globSync } from "node:fs";
import path from "node:path";
import { readContract } from "./generate/contract/contract.ts";
import { endWithoutPackages } from "./generate/missing-packages.ts";
import { exampleFiles } from "./generate/packages/example-files.ts";
import { scaffoldHandlers } from "./generate/scaffold.ts";
import { unlessUpToDate } from "./generate/stamp.ts";

const root = path.join(import.meta.dirname, "..");
const contractFile = path.join(root, "openapi.yaml");
process.on("uncaughtException", endWithoutPackages);

// Every command of the program generates first, so a run without changes must be fast.
await unlessUpToDate(root, {
  stamp: "src/generated/.contract-stamp",
  sources: ["openapi.yaml", "scripts/generate", "package-lock.json"],
  outputs: [
    "openapi.json",
    "published.json",
    "published.yaml",
    "pattern-words.ts",
    "problems.ts",
    "scopes.ts",
    "operations.ts",
    "handlers.ts",
    "feeds.ts",
    "text-limits.ts",
    "tools.ts",
    "types.ts",
    "webhook-members.ts",
  ].map((name) => `src/generated/${name}`),
  write: async () => {
    const { completeContract } = await import("./generate/contract/complete-contract.ts");
    const { writeContractFiles } = await import("./generate/contract/contract-files.ts");
    const { writePublishedContract } = await import("./generate/contract/published-contract.ts");
    await completeContract(contractFile);
    await writeContractFiles(await readContract(contractFile), path.join(root, "src/generated"));
    await writePublishedContract(contractFile, path.join(root, "src/generated"));
  },
});
await unlessUpToDate(root, {
  stamp: "src/generated/.sql-stamp",
  sources: [
    ...globSync("src/**/*.sql", { cwd: root }).sort(),
    "prisma/sql-types.lock",
    "prisma/migrations",
    "scripts/typed-sql",
    "scripts/generate/sql-modules.ts",
  ],
  outputs: ["src/generated/sql"],
  write: async () => {
    const { writeSqlModules } = await import("./generate/sql-modules.ts");
    const due = await writeSqlModules(root);
    if (due.length > 0) {
      process.stderr.write(
        `prisma/sql-types.lock does not know the types of ${due.join(", ")}. Run "npm run generate:sql" and check the file in.\n`,
      );
      process.exit(1);
    }
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
    const { writeDownloads } = await import("./generate/packages/downloads.ts");
    await writeDownloads(root, path.join(root, "src/generated"));
  },
});

if (process.argv.includes("--scaffold")) {
  const contract = await readContract(contractFile);
  for (const file of await scaffoldHandlers(contract, path.join(root, "src/api/handlers"))) {
    process.stdout.write(`wrote ${path.relative(root, file)}\n`);
  }
}
