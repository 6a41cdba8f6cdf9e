import { readFile } from "node:fs/promises";
import path from "node:path";
import { createClient } from "@hey-api/openapi-ts";
import type { Contract } from "../contract/contract.ts";
import { writeIfChanged } from "../write-if-changed.ts";
import { sdkFeedsFile } from "./sdk-feeds-file.ts";
import { sdkVolatileFile } from "./sdk-volatile-file.ts";

/** Writes the SDK's operations and types, its feeds, the problem codes, and its version, which is that of the whole project. */
export async function writeSdkFiles(contract: Contract, root: string, outDir: string): Promise<void> {
  await createClient({
    input: closed(contract.document),
    output: {
      path: path.join(outDir, "operations"),
      module: { extension: ".ts" },
      // The files of the bundled client do not compile under our strictest settings. Their types are used all the same.
      header: ["// Written by `npm run generate` from openapi.yaml.", "// @ts-nocheck"],
    },
    plugins: ["@hey-api/client-fetch", "@hey-api/typescript", "@hey-api/sdk"],
    logs: { level: "silent", file: false },
  });
  const { version } = JSON.parse(await readFile(path.join(root, "package.json"), "utf8"));
  await writeIfChanged(path.join(outDir, "feeds.ts"), sdkFeedsFile(contract));
  await writeIfChanged(path.join(outDir, "volatile.ts"), sdkVolatileFile(contract));
  const codes = Object.keys(contract.document["x-problems"]).map((code) => `  | ${JSON.stringify(code)}`);
  await writeIfChanged(
    path.join(outDir, "problem-codes.ts"),
    `// Written by \`npm run generate\` from openapi.yaml (x-problems).\nexport type ProblemCode =\n${codes.join("\n")};\n`,
  );
  await writeIfChanged(
    path.join(outDir, "version.ts"),
    `// Written by \`npm run generate\`.\nexport const VERSION = ${JSON.stringify(version)};\n`,
  );
}

/** The document without `additionalProperties: true`, which would let a misspelt column pass the compiler. */
const closed = (document: Contract["document"]): Record<string, unknown> =>
  JSON.parse(JSON.stringify(document), (name, value) =>
    name === "additionalProperties" && value === true ? undefined : value,
  );
