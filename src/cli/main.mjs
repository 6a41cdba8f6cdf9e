// Every process starts here: `npm run -s tdf -- <command>`. It is plain JavaScript: before the cache is there, Node would load
// its compiler of TypeScript for this file alone, and keep it.
import { enableCompileCache } from "node:module";
import path from "node:path";

// Compiling takes longer than the rest of a start, so compiled code is cached. The cache is not in the system's folder for
// temporary files, where another user could place code. Where the folder can't be written, nothing is cached.
enableCompileCache(path.join(import.meta.dirname, "../../node_modules/.cache/tdf"));

const { runCommandLine } = await import("./command-line.ts");
await runCommandLine(process.argv);
// Everything is closed. But a machine that has gone silent never ends its side of a connection, which keeps the process.
setTimeout(() => process.exit(), 1_000).unref();
