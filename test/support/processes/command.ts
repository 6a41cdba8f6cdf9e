import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { runCommandLine } from "../../../src/cli/command-line.ts";

/** The program, as `npm run tdf` starts it. */
export const MAIN: string = fileURLToPath(new URL("../../../src/cli/main.mjs", import.meta.url));

/** The output of a command on each stream, and its exit status. */
export interface Printed {
  out: string;
  err: string;
  status: number;
}

/** Runs `tdf <words>` to its end as a process. `added` is added to this process's environment. */
export function spawnTdf(added: NodeJS.ProcessEnv, ...words: string[]): Promise<Printed> {
  const env = { ...process.env, ...added };
  return new Promise((resolve) => {
    execFile(process.execPath, [MAIN, ...words], { env }, (error, out, err) => {
      resolve({ out, err, status: error ? Number(error.code) : 0 });
    });
  });
}

let running: Promise<unknown> = Promise.resolve();

/**
 * Runs `tdf <words>` to its end in this process: starting Node and loading the program takes longer than most commands.
 * Commands run one after the other, since they share the process's environment and streams.
 */
export function runTdf(added: NodeJS.ProcessEnv, ...words: string[]): Promise<Printed> {
  const ended = running.then(() => runHere(added, words));
  running = ended.catch(() => {});
  return ended;
}

async function runHere(added: NodeJS.ProcessEnv, words: readonly string[]): Promise<Printed> {
  const { env, exitCode } = process;
  process.env = { ...env, ...added };
  process.exitCode = undefined;
  const [out, err] = [capture(process.stdout), capture(process.stderr)];
  try {
    await runCommandLine([process.execPath, MAIN, ...words]);
    return { out: out.text(), err: err.text(), status: Number(process.exitCode ?? 0) };
  } finally {
    out.end();
    err.end();
    process.env = env;
    process.exitCode = exitCode;
  }
}

/** Keeps what is written to a stream instead of writing it. */
function capture(stream: NodeJS.WriteStream): { text(): string; end(): void } {
  const { write } = stream;
  const chunks: Uint8Array[] = [];
  stream.write = (chunk: string | Uint8Array, ...rest: unknown[]) => {
    chunks.push(typeof chunk === "string" ? Buffer.from(chunk) : chunk);
    const done = rest.at(-1);
    if (typeof done === "function") queueMicrotask(() => done());
    return true;
  };
  return {
    text: () => Buffer.concat(chunks).toString(),
    end: () => {
      stream.write = write;
    },
  };
}
