// `npm run screenshots -- DIR` saves a picture of every page and of its states, on a phone and on a desk, light and dark.
import { spawnSync } from "node:child_process";
import path from "node:path";

const [folder] = process.argv.slice(2);
if (folder === undefined || folder.startsWith("-")) {
  process.stderr.write("Name a folder for the pictures: npm run screenshots -- DIR\n");
  process.exit(2);
}

const FILES = ["every-page", "states"].map((name) => `test/service/pages/${name}.test.ts`);

// The tests that judge every page and its states open each of them anyway.
const { status } = spawnSync("vitest", ["run", ...FILES], {
  stdio: "inherit",
  env: { ...process.env, SCREENSHOTS: path.resolve(folder) },
});
process.exit(status ?? 1);
