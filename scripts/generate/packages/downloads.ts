import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { writeIfChanged } from "../write-if-changed.ts";
import { exampleFiles } from "./example-files.ts";
import { PACKAGES } from "./packages.ts";

/** Writes the packages that the service hands out, and the list of them and of the examples. */
export async function writeDownloads(root: string, outDir: string): Promise<void> {
  const { version } = JSON.parse(await readFile(path.join(root, "package.json"), "utf8"));
  const folder = path.join(outDir, "downloads");
  await mkdir(folder, { recursive: true });
  const packages = [];
  for (const { fileOf, make, ...shown } of PACKAGES) {
    const [file, latest] = [fileOf(version), fileOf("latest")];
    await writeFile(path.join(folder, file), await make(root));
    packages.push({ ...shown, file, path: `/sdk/${file}`, latest: `/sdk/${latest}` });
  }
  const files = packages.map(({ file }) => file);
  const old = (await readdir(folder)).filter((name) => !files.includes(name));
  await Promise.all(old.map((name) => rm(path.join(folder, name))));
  const readme = await readFile(path.join(root, "examples/README.md"), "utf8");
  await writeIfChanged(
    path.join(outDir, "downloads.ts"),
    `// Written by \`npm run generate\` from scripts/generate/packages/packages.ts and examples/README.md.
export const packages = ${JSON.stringify(packages, null, 2)};
export const examples = ${JSON.stringify(examplesIn(readme, exampleFiles(root)), null, 2)};
`,
  );
}

/** The folders of the examples as the README describes them, with their files. Throws for a folder that it leaves out. */
function examplesIn(
  readme: string,
  files: readonly string[],
): { folder: string; about: string; files: string[] }[] {
  const rows = [...readme.matchAll(/^\| `([\w-]+)` \| (.+) \|$/gm)];
  const described = rows.map(([, folder = "", about = ""]) => ({
    folder,
    about,
    files: files.filter((name) => name.startsWith(`${folder}/`)).map((name) => path.basename(name)),
  }));
  const count = described.reduce((sum, each) => sum + each.files.length, 0);
  if (count !== files.length)
    throw new Error("examples/README.md does not describe each folder of examples/.");
  return described;
}
