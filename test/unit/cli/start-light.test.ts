import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { MAIN } from "../../support/processes/command.ts";

/** Prints, when the process ends, which of Node's own modules it loaded, in place of what the command printed. */
const NOTE_LOADED = `data:text/javascript,${encodeURIComponent(
  `process.stdout.write = () => true;
   process.on("exit", () => process.stderr.write(process.moduleLoadList.join("\\n")))`,
)}`;

/** A command that only prints, on the program's own cache of compiled code. */
function start(...words: string[]): string {
  const { NODE_COMPILE_CACHE: _, ...env } = process.env;
  return execFileSync("sh", ["-c", '"$0" "$@" 2>&1', process.execPath, ...words], { env }).toString();
}

test("A start whose code is compiled already does not load Node's compiler of TypeScript, 14 MB", () => {
  const loaded = () => start("--import", NOTE_LOADED, MAIN, "openapi").split("\n");
  // The first start fills the cache.
  loaded();
  expect(loaded()).toContain("NativeModule internal/modules/esm/loader");
  expect(loaded()).not.toContain("NativeModule internal/deps/amaro/dist/index");
});

test("The earlier name of the program starts it", () => {
  expect(start(MAIN.replace(/mjs$/, "ts"), "--help")).toBe(start(MAIN, "--help"));
});
