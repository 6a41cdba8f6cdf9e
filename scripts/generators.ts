// Tries client generators that are no dependencies of ours, with pinned versions from npm in a folder that goes again:
// each makes a client of openapi.yaml, a customer's program compiles on it under strict TypeScript, and reads records, a
// CSV and an error of a running service. Two more generators are tried by test/contract/clients.test.ts.
//   node scripts/generators.ts --url http://127.0.0.1:3000 --key tdf_live_... [--feed us_brokers]
import { execFile } from "node:child_process";
import { copyFile, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { parseArgs, promisify } from "node:util";
import { compileStrictly } from "./generators/compile.ts";

const run = promisify(execFile);

/** Generators, and what each is called with to write <its name>/client.ts. */
const GENERATORS = {
  orval: { version: "8.30.0", args: ["--config", "orval.config.mjs"] },
  oazapfts: { version: "7.5.0", args: ["openapi.yaml", "oazapfts/client.ts"] },
  "swagger-typescript-api": {
    version: "13.13.0",
    args: ["generate", "-p", "openapi.yaml", "-o", "swagger-typescript-api", "-n", "client.ts"],
  },
};
type Generator = keyof typeof GENERATORS;

/** What the code made by oazapfts imports. */
const RUNTIME = "@oazapfts/runtime@1.2.0";

interface Found {
  records: string[];
  header: string;
  refused: string;
}

const { values } = parseArgs({
  options: { url: { type: "string" }, key: { type: "string" }, feed: { type: "string" } },
});
const { url, key, feed = "us_new_authority_weekly" } = values;
if (url === undefined || key === undefined) {
  console.error("Give the address of a running service (--url) and a key of it (--key).");
  process.exit(2);
}

const folder = await mkdtemp(path.join(tmpdir(), "tdf-generators-"));
try {
  await install();
  for (const name of Object.keys(GENERATORS) as Generator[]) await tryOut(name, { url, key, feed });
} finally {
  await rm(folder, { recursive: true, force: true });
}

async function install(): Promise<void> {
  const files = {
    "package.json": '{ "private": true, "type": "module" }',
    "orval.config.mjs": orvalConfig(),
  };
  for (const [name, text] of Object.entries(files)) await writeFile(path.join(folder, name), text);
  await copyFile(path.join(import.meta.dirname, "../openapi.yaml"), path.join(folder, "openapi.yaml"));
  const packages = Object.entries(GENERATORS).map(([name, { version }]) => `${name}@${version}`);
  const flags = ["--no-audit", "--no-fund", "--ignore-scripts", "--save-exact"];
  await run("npm", ["install", ...flags, ...packages, RUNTIME], { cwd: folder });
}

/** The address stands in the code that orval makes. */
function orvalConfig(): string {
  const output = { target: "orval/client.ts", client: "fetch", baseUrl: url };
  return `export default ${JSON.stringify({ client: { input: "openapi.yaml", output } })};`;
}

async function tryOut(name: Generator, trial: { url: string; key: string; feed: string }): Promise<void> {
  const program = path.join(folder, name, "program.ts");
  await mkdir(path.dirname(program));
  const cli = path.join(folder, "node_modules/.bin", name);
  await run(process.execPath, [cli, ...GENERATORS[name].args], { cwd: folder });
  await copyFile(path.join(import.meta.dirname, "generators/programs", `${name}.ts`), program);
  const complaints = compileStrictly([program]);
  const found = complaints.length === 0 ? await foundBy(program, trial) : null;
  const isRight =
    found !== null &&
    found.records.length > 0 &&
    found.header.endsWith(",licence_ref") &&
    found.refused === "invalid_api_key";
  if (!isRight) process.exitCode = 1;
  console.log(`${isRight ? "works" : "FAILS"}: ${name} ${GENERATORS[name].version}`);
  for (const complaint of complaints.slice(0, 20)) console.log(`  ${complaint}`);
  if (found !== null && !isRight) console.log(`  ${JSON.stringify(found)}`);
}

async function foundBy(program: string, trial: object): Promise<Found> {
  const compiled = program.replace(/\.ts$/, ".js");
  const { stdout } = await run(process.execPath, [compiled, JSON.stringify(trial)], { timeout: 60_000 });
  return JSON.parse(stdout) as Found;
}
