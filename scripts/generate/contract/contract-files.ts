import path from "node:path";
import { writeIfChanged } from "../write-if-changed.ts";
import type { Contract } from "./contract.ts";
import { feedsFile } from "./feeds-file.ts";
import { handlersFile } from "./handlers-file.ts";
import { operationsFile } from "./operations-file.ts";
import { problemsFile } from "./problems-file.ts";
import { textLimitsFile } from "./text-limits-file.ts";
import { toolsFile } from "./tools-file.ts";
import { typesFile } from "./types-file.ts";
import { webhookMembersFile } from "./webhook-members-file.ts";
import { patternWordsFile, scopesFile, testSituationsFile } from "./words-files.ts";

/** Writes the files generated from openapi.yaml, and the contract itself as JSON, which loads fastest. */
export async function writeContractFiles(contract: Contract, outDir: string): Promise<void> {
  await writeIfChanged(path.join(outDir, "openapi.json"), JSON.stringify(contract.document));
  await writeIfChanged(path.join(outDir, "problems.ts"), problemsFile(contract));
  await writeIfChanged(path.join(outDir, "scopes.ts"), scopesFile(contract));
  await writeIfChanged(path.join(outDir, "test-situations.ts"), testSituationsFile(contract));
  await writeIfChanged(path.join(outDir, "pattern-words.ts"), patternWordsFile(contract));
  await writeIfChanged(path.join(outDir, "operations.ts"), operationsFile(contract));
  await writeIfChanged(path.join(outDir, "handlers.ts"), handlersFile(contract));
  await writeIfChanged(path.join(outDir, "feeds.ts"), feedsFile(contract));
  await writeIfChanged(path.join(outDir, "text-limits.ts"), textLimitsFile(contract));
  await writeIfChanged(path.join(outDir, "tools.ts"), toolsFile(contract));
  await writeIfChanged(path.join(outDir, "webhook-members.ts"), webhookMembersFile(contract));
  await writeIfChanged(path.join(outDir, "types.ts"), await typesFile(contract));
}
