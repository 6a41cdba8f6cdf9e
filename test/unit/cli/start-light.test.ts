import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { MAIN, spawnTdf } from "../../support/processes/command.ts";

/** Prints to standard error, when the process ends, which of Node's own modules it loaded. */
const NOTE_LOADED = `data:text/javascript,${encodeURIComponent(
  `process.on("exit", () => process.stderr.write(process.moduleLoadList.join("\\n")))`,
)}`;

test("A start whose code is compiled already does not load Node's compiler of TypeScript, 14 MB", async () => {
  // On the program's own cache of compiled code, not on that of the tests.
  const loaded = async () => {
    const added = { NODE_COMPILE_CACHE: undefined, NODE_OPTIONS: `--import ${NOTE_LOADED}` };
    return (await spawnTdf(added, "--help")).err.split("\n");
  };
  // The first start fills the cache.
  await loaded();
  const modules = await loaded();
  expect(modules).toContain("NativeModule internal/modules/esm/loader");
  expect(modules).not.toContain("NativeModule internal/deps/amaro/dist/index");
});

test("The earlier name of the program starts it", async () => {
  const earlier = execFileSync(process.execPath, [MAIN.replace(/mjs$/, "ts"), "--help"]);
  expect(String(earlier)).toBe((await spawnTdf({}, "--help")).out);
});
