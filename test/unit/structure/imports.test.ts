// dependency-cruiser refuses the imports that the project layout forbids: it checks a small tree of bad examples with
// the project's own configuration.
import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";

const ROOT = path.join(import.meta.dirname, "../../..");
const EMPTY = "export const nothing = 0;\n";

const configuration: string = path.join(ROOT, ".dependency-cruiser.mjs");
const { layers: MODULES } = (await import(configuration)) as { layers: string[][] };

/** The file of each module that is imported. */
const targetOf = (module: string): string => `src/${module}/target.ts`;

/** The modules that each module may not import: those of its own layer and of higher layers. */
const FORBIDDEN = MODULES.flatMap((beside, layer) =>
  beside.flatMap((module) =>
    MODULES.slice(0, layer + 1)
      .flat()
      .filter((other) => other !== module)
      .map((other) => ({ module, other })),
  ),
);

const GENERATOR = "../../packages/registry-generator/src/target.ts";

/** Other bad examples: the file, its import, and the rule that refuses it. */
const BAD: readonly [file: string, imported: string, rule: string][] = [
  ["src/api/contract-library.ts", "openapi-backend", "one-folder-knows-openapi-backend"],
  ["src/cli/handlers.ts", "../generated/handlers.ts", "the-api-has-the-handlers"],
  ["src/feeds/spans.ts", "@opentelemetry/api", "opentelemetry-only-when-asked"],
  ["src/feeds/traces.ts", "../platform/tracing/otlp.ts", "traces-are-loaded-late"],
  ["src/api/driver.ts", "pg", "entry-points-do-not-touch-the-database"],
  ["src/pages/copy.ts", "pg-copy-streams", "entry-points-do-not-touch-the-database"],
  ["src/mcp/rows.ts", "pg", "entry-points-do-not-touch-the-database"],
  ["src/cli/adapter.ts", "@prisma/adapter-pg", "entry-points-do-not-touch-the-database"],
  ["src/cli/client.ts", "../generated/prisma/client.ts", "entry-points-do-not-touch-the-database"],
  ["src/cli/pool.ts", "../platform/database/pool.ts", "entry-points-do-not-touch-the-database"],
  ["src/feeds/environment.ts", "node:process", "one-file-reads-the-environment"],
  ["src/feeds/test-tools.ts", "../../test/support/tool.ts", "the-program-does-not-know-its-tests"],
  ["src/feeds/development.ts", "vitest", "no-development-packages-at-run-time"],
  ["src/newcomer/file.ts", "../platform/target.ts", "no-module-without-a-layer"],
  ["src/feeds/customer.ts", "../../packages/sdk/src/target.ts", "the-program-does-not-use-its-sdk"],
  ["src/feeds/made-up.ts", GENERATOR, "only-commands-make-registries-up"],
  ["packages/sdk/src/program.ts", "../../../src/feeds/target.ts", "a-package-needs-nothing-but-node"],
  ["packages/sdk/src/package.ts", "undici", "a-package-needs-nothing-but-node"],
  ["packages/sdk/src/sibling.ts", `../${GENERATOR}`, "a-package-needs-nothing-but-node"],
  ["src/feeds/one.ts", "./other.ts", "no-circular"],
];

let folder = "";
let violations: { rule: { name: string }; from: string }[] = [];

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "tdf-imports-"));
  for (const file of ["package.json", "tsconfig.json", ".dependency-cruiser.mjs"]) {
    await cp(path.join(ROOT, file), path.join(folder, file));
  }
  await symlink(path.join(ROOT, "node_modules"), path.join(folder, "node_modules"));
  const files = new Map([
    ...MODULES.flat().map((module) => [targetOf(module), EMPTY] as const),
    ["src/generated/prisma/client.ts", EMPTY],
    ["src/generated/handlers.ts", EMPTY],
    ["src/platform/database/pool.ts", EMPTY],
    ["src/platform/tracing/otlp.ts", EMPTY],
    ["test/support/tool.ts", EMPTY],
    ["packages/sdk/src/target.ts", EMPTY],
    ["packages/registry-generator/src/target.ts", EMPTY],
    // Closes the cycle, which is reported for the first file.
    ["src/feeds/other.ts", 'import "./one.ts";\n'],
    ...FORBIDDEN.map(
      ({ module, other }) => [`src/${module}/to-${other}.ts`, `import "../${other}/target.ts";\n`] as const,
    ),
    ...BAD.map(([file, imported]) => [file, `import "${imported}";\n`] as const),
  ]);
  for (const [file, text] of files) {
    await mkdir(path.dirname(path.join(folder, file)), { recursive: true });
    await writeFile(path.join(folder, file), text);
  }
  const program = path.join(ROOT, "node_modules/.bin/depcruise");
  const options = ["src", "packages", "--config", ".dependency-cruiser.mjs", "--output-type", "json"];
  // It exits with the number of violations.
  const { stdout } = await promisify(execFile)(program, options, { cwd: folder, maxBuffer: 1e8 }).catch(
    (error: { stdout: string }) => error,
  );
  violations = JSON.parse(stdout).summary.violations;
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const rulesAgainst = (file: string): string[] => [
  ...new Set(violations.filter(({ from }) => from === file).map(({ rule }) => rule.name)),
];

it("the layers are those of docs/architecture.md", async () => {
  const page = await readFile(path.join(ROOT, "docs/architecture.md"), "utf8");
  const rows = [...page.matchAll(/^\| \d+ \| (.+) \|$/gm)].map(([, row = ""]) => row);
  const named = rows.map((row) => [...row.matchAll(/`(\w+)`/g)].map(([, module]) => module).sort());
  expect(named).toEqual(MODULES.map((modules) => [...modules].sort()));
});

it.each(FORBIDDEN)("src/$module may not import src/$other", ({ module, other }) => {
  expect(rulesAgainst(`src/${module}/to-${other}.ts`)).toEqual([`${module}-imports-down`]);
});

it.each(BAD)("%s may not import %s", (file, _imported, rule) => {
  expect(rulesAgainst(file)).toEqual([rule]);
});

it("refuses nothing else", () => {
  const bad = new Set([
    ...FORBIDDEN.map(({ module, other }) => `src/${module}/to-${other}.ts`),
    ...BAD.map(([file]) => file),
  ]);
  expect(violations.filter(({ from }) => !bad.has(from))).toEqual([]);
});
