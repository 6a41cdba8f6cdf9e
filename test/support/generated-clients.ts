import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { createClient } from "@hey-api/openapi-ts";
import openapiTypescript, { astToString } from "openapi-typescript";
import { CONTRACT_FILE } from "../contract/prism/contract-document.ts";

/** Makes clients of openapi.yaml as customers do, in `openapi-fetch-client` and `hey-api-client` of the folder. */
export async function generateClients(folder: string): Promise<void> {
  const types = astToString(await openapiTypescript(pathToFileURL(CONTRACT_FILE)));
  await mkdir(path.join(folder, "openapi-fetch-client"), { recursive: true });
  await writeFile(path.join(folder, "openapi-fetch-client/schema.ts"), types);
  await createClient({
    input: CONTRACT_FILE,
    // Then the generated files name each other as Node requires it.
    output: { path: path.join(folder, "hey-api-client"), module: { extension: ".ts" } },
    logs: { level: "silent", file: false },
  });
}
