// npm's scripts in an installation that has only a part of the packages: they run in a copy of the project.
import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, readdir, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";

const ROOT = path.join(import.meta.dirname, "../../..");
const run = promisify(execFile);

let folder: string;
let project: string;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "tdf-install-"));
  await run(process.execPath, ["scripts/generate.ts"], { cwd: ROOT });
});
afterAll(() => rm(folder, { recursive: true, force: true }));

beforeEach(async () => {
  project = await mkdtemp(path.join(folder, "project-"));
  const files = [
    "package.json",
    "package-lock.json",
    "openapi.yaml",
    "prisma",
    "scripts",
    "examples",
    "packages",
  ];
  for (const name of files) await cp(path.join(ROOT, name), path.join(project, name), { recursive: true });
  const isGenerated = (file: string) => path.relative(ROOT, file) === path.join("src", "generated");
  await cp(path.join(ROOT, "src"), path.join(project, "src"), {
    recursive: true,
    filter: (file) => !isGenerated(file),
  });
  // The image brings what the service needs, and nothing of how it is made.
  await rm(path.join(project, "packages/sdk/src/generated"), { recursive: true, force: true });
});

/** Installs a package as a link to ours. */
async function install(name: string): Promise<void> {
  await mkdir(path.join(project, "node_modules"), { recursive: true });
  await symlink(path.join(ROOT, "node_modules", name), path.join(project, "node_modules", name));
}

const generate = () => run(process.execPath, ["scripts/generate.ts"], { cwd: project });

describe("without the development packages", () => {
  it("existing generated code is used as it is", async () => {
    await install("yaml");
    await cp(path.join(ROOT, "src/generated"), path.join(project, "src/generated"), { recursive: true });
    expect(await generate()).toEqual({ stdout: "", stderr: "" });
  });

  it("missing generated code is reported in one line, with what to do", async () => {
    await install("yaml");
    await expect(generate()).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringMatching(
        /^src\/generated is missing or out of date.* Run `npm ci && npm run generate`.*\n$/,
      ),
    });
  });
});

// npm 10 leaves it out: then every script would run on the system's Node, which can't read TypeScript.
it.skipIf(process.platform === "win32")(
  "scripts find the Node that is installed as a package, with every npm",
  async () => {
    const brought = (await readdir(path.join(ROOT, "node_modules"))).filter((name) =>
      /^node-(bin-)?(linux|darwin)-/.test(name),
    );
    expect(brought).toHaveLength(1);
    await install(brought[0] ?? "");
    for (let times = 0; times < 2; times++)
      await run(process.execPath, ["scripts/link-node.mjs"], { cwd: project });
    const { stdout } = await run(path.join(project, "node_modules/.bin/node"), ["--version"]);
    expect(stdout).toMatch(/^v26\./);
  },
);
