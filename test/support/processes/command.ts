import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";

const MAIN = fileURLToPath(new URL("../../../src/cli/main.ts", import.meta.url));

/** The output of a command on each stream, and its exit status. */
export interface Printed {
  out: string;
  err: string;
  status: number;
}

/** Runs `tdf <words>` to its end. `added` is added to this process's environment. */
export function runTdf(added: NodeJS.ProcessEnv, ...words: string[]): Promise<Printed> {
  const env = { ...process.env, ...added };
  return new Promise((resolve) => {
    execFile(process.execPath, [MAIN, ...words], { env }, (error, out, err) => {
      resolve({ out, err, status: error ? Number(error.code) : 0 });
    });
  });
}
