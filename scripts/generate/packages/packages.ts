// The packages that the service hands out. To add one, add it here: the service routes it, and the guide shows its command.
import { readFile } from "node:fs/promises";
import path from "node:path";
import { tarball } from "./archive.ts";
import { exampleFiles } from "./example-files.ts";
import { pythonWheel, wheelName } from "./wheel.ts";

/** A package that customers download. */
interface PackageSource {
  /** What it is for, before the command. */
  title: string;
  /** The name of its file, of a version or "latest". */
  fileOf: (version: string) => string;
  mediaType: string;
  /** How a customer gets it; `URL` stands for its address. */
  command: string;
  /** Its bytes: the same ones whenever the sources are the same. */
  make: (root: string) => Promise<Buffer>;
}

export const PACKAGES: readonly PackageSource[] = [
  {
    title: "TypeScript and JavaScript, Node 20 or newer",
    fileOf: (version) => `trucking-data-feed-sdk-${version}.tgz`,
    mediaType: "application/gzip",
    command: "npm install URL",
    make: async (root) => {
      const { compiledSdk } = await import("./compiled-sdk.ts");
      const built = [...compiledSdk(root)].map(([name, text]) => [`dist/${name}`, text] as const);
      const own = await filesIn(path.join(root, "packages/sdk"), ["README.md", "package.json"]);
      return tarball("package", new Map<string, string | Buffer>([...own, ...built]));
    },
  },
  {
    title: "Python 3.9 or newer",
    fileOf: wheelName,
    mediaType: "application/zip",
    command: "pip install URL",
    make: pythonWheel,
  },
  {
    title: "All examples of this page",
    fileOf: (version) => `trucking-data-feed-examples-${version}.tgz`,
    mediaType: "application/gzip",
    command: "curl -sSf URL | tar xz",
    make: async (root) =>
      tarball(
        "trucking-data-feed-examples",
        await filesIn(path.join(root, "examples"), ["README.md", ...exampleFiles(root)]),
      ),
  },
];

const filesIn = async (folder: string, names: readonly string[]): Promise<Map<string, Buffer>> =>
  new Map(
    await Promise.all(names.map(async (name) => [name, await readFile(path.join(folder, name))] as const)),
  );
