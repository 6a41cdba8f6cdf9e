import { execFileSync } from "node:child_process";
import path from "node:path";
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

const SERVE = path.join(path.dirname(MAIN), "service/serve.ts");

/** Prints the address of every module that a process of the API alone loads before it serves. */
const LIST_MODULES = `
import { registerHooks } from "node:module";
registerHooks({ load: (address, context, next) => { console.log(address); return next(address, context); } });
await import(${JSON.stringify(SERVE)});`;

test("The API alone loads nothing of pages, agents' tools, mails and deliveries before it is asked for them", () => {
  const loaded = String(execFileSync(process.execPath, ["--input-type=module", "--eval", LIST_MODULES]));
  expect(loaded).toContain("/src/api/server.ts");
  for (const part of ["pages/pages.ts", "mcp/protocol.ts", "webhooks/dispatch/dispatcher.ts"])
    expect(loaded).not.toContain(`/src/${part}`);
  for (const library of ["d3-scale", "highlight.js", "zod", "undici", "nodemailer", "libphonenumber-js"])
    expect(loaded).not.toContain(`/node_modules/${library}/`);
});

test("The earlier name of the program starts it", async () => {
  const earlier = execFileSync(process.execPath, [MAIN.replace(/mjs$/, "ts"), "--help"]);
  expect(String(earlier)).toBe((await spawnTdf({}, "--help")).out);
});
