import { createHash } from "node:crypto";
import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { strToU8, zipSync } from "fflate";
import { readContract } from "../contract/contract.ts";
import { pythonTypes } from "./python-types.ts";

const MODULE = "trucking_data_feed";
/** The day that npm gives to all files of a package, in the zone of this machine: a zip has no zones. */
const MTIME = new Date(1985, 9, 26, 8, 15);

/** The name of the Python package's file, in the form that pip reads: of a version. */
export const wheelName = (version: string): string => `${MODULE}-${version}-py3-none-any.whl`;

/** The Python package as a wheel, which installs without being built. The same sources make the same bytes. */
export async function pythonWheel(root: string): Promise<Buffer> {
  const folder = path.join(root, "packages/sdk-python");
  const { version } = JSON.parse(readFileSync(path.join(root, "package.json"), "utf8"));
  const own = globSync(`${MODULE}/*.{py,typed}`, { cwd: folder }).map(
    (name) => [name.split(path.sep).join("/"), readFileSync(path.join(folder, name), "utf8")] as const,
  );
  const contract = await readContract(path.join(root, "openapi.yaml"));
  const info = `${MODULE}-${version}.dist-info`;
  const files = new Map<string, string>([
    ...own,
    [`${MODULE}/types.py`, pythonTypes(contract)],
    [`${MODULE}/version.py`, `VERSION = ${JSON.stringify(version)}\n`],
    [`${info}/METADATA`, metadata(version, readFileSync(path.join(folder, "README.md"), "utf8"))],
    [
      `${info}/WHEEL`,
      "Wheel-Version: 1.0\nGenerator: trucking-data-feed\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    ],
  ]);
  const names = [...files.keys()].sort();
  const record = names.map((name) => recordLine(name, files.get(name) ?? ""));
  files.set(`${info}/RECORD`, `${[...record, `${info}/RECORD,,`].join("\n")}\n`);
  const entries = [...names, `${info}/RECORD`].map((name) => [name, strToU8(files.get(name) ?? "")] as const);
  return Buffer.from(zipSync(Object.fromEntries(entries), { level: 9, mtime: MTIME }));
}

const metadata = (version: string, readme: string): string => `Metadata-Version: 2.1
Name: trucking-data-feed
Version: ${version}
Summary: Feeds and authority events of US trucking carriers.
License: Proprietary
Requires-Python: >=3.9
Description-Content-Type: text/markdown

${readme}`;

/** A file of the wheel as its list names it: with hash and size, by which an installer checks it. */
function recordLine(name: string, text: string): string {
  const hash = createHash("sha256").update(text).digest("base64url");
  return `${name},sha256=${hash},${Buffer.byteLength(text)}`;
}
