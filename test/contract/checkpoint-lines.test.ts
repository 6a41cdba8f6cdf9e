// The lines of the contract's Checkpoint, as a customer pastes them: strict TypeScript and Python give the same digest.
import { execFileSync } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { parse } from "yaml";
import { compilerComplaints } from "../support/compiler.ts";
import { CONTRACT_FILE } from "./prism/contract-document.ts";

const { schemas, examples } = parse(await readFile(CONTRACT_FILE, "utf8")).components;
const linesOf = (language: string): string =>
  new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, "s").exec(schemas.Checkpoint.description)?.[1] ?? "";

const records = examples.SmallCarriersPage.value.data;
const columns = Object.entries<{ "x-volatile"?: unknown }>(schemas.SmallCarrierRecord.properties).flatMap(
  ([name, schema]) => (schema["x-volatile"] === undefined ? [name] : []),
);

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "tdf-checkpoint-"));
  await writeFile(path.join(folder, "package.json"), '{ "type": "module" }');
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const run = (command: string, file: string): string => {
  const input = JSON.stringify([records, columns]);
  return execFileSync(command, [path.join(folder, file)], { input, encoding: "utf8" }).trim();
};

it("the two programs compile and agree", async () => {
  const typescript = path.join(folder, "digest.ts");
  const read = `import { readFileSync } from "node:fs";\n`;
  const tell =
    "const [records, columns] = JSON.parse(readFileSync(0, 'utf8'));\nconsole.log(digestOf(records, columns));\n";
  await writeFile(typescript, read + linesOf("ts") + tell);
  expect(compilerComplaints([typescript])).toEqual([]);
  const python = "import json, sys\nprint(digest_of(*json.load(sys.stdin)))\n";
  await writeFile(path.join(folder, "digest.py"), linesOf("py") + python);
  const digest = run(process.execPath, "digest.ts");
  expect(digest).toMatch(/^[0-9a-f]{16}$/);
  expect(run("python3", "digest.py")).toBe(digest);
});
