// Makes npm's scripts run on the Node that is installed as a package. npm 10 and early versions of 11 delete the
// command `node` of the package for this machine while they remove the packages for other machines. This file is plain
// JavaScript, because the system's Node runs it.
import { existsSync, mkdirSync, readFileSync, symlinkSync } from "node:fs";
import path from "node:path";

const root = path.join(import.meta.dirname ?? path.dirname(new URL(import.meta.url).pathname), "..");
const { optionalDependencies } = JSON.parse(readFileSync(path.join(root, "package.json"), "utf8"));
const modules = path.join(root, "node_modules");
const link = path.join(modules, ".bin/node");

// On Windows npm writes small programs instead of links, and keeps them.
const brought = Object.keys(optionalDependencies).find((name) =>
  existsSync(path.join(modules, name, "bin/node")),
);
if (brought && !existsSync(link)) {
  mkdirSync(path.dirname(link), { recursive: true });
  try {
    symlinkSync(path.join("..", brought, "bin/node"), link);
  } catch (error) {
    // Another npm script created it first.
    if (error.code !== "EEXIST") throw error;
  }
}

const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
const isNewEnough = major > 24 || (major === 24 && minor >= 18);
if (!brought && !isNewEnough && process.platform !== "win32") {
  process.stderr.write(
    `This runs on Node 24.18 or newer, not on ${process.versions.node}: run \`npm ci\` without --omit=optional, which brings Node 26, or install it.\n`,
  );
  process.exitCode = 1;
}
