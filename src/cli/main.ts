// Every process starts here: `npm run -s tdf -- <command>`.
import { enableCompileCache } from "node:module";
import path from "node:path";

// To compile the program takes longer than all else a start does, so what was compiled is kept. Not in the system's folder
// for temporary files, where others might put code for us to run; where it can't be written, nothing is kept.
enableCompileCache(path.join(import.meta.dirname, "../../node_modules/.cache/tdf"));

const { runCommandLine } = await import("./command-line.ts");
await runCommandLine(process.argv);
