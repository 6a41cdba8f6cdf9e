import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { MAIN } from "./command.ts";

type LogLine = Readonly<Record<string, unknown>>;

/** A command of the program that runs until it is stopped, such as `serve`. */
export interface TdfProcess {
  /** The line with which it said that it is ready; it has the ports. */
  ready: LogLine;
  /** Null while it runs. */
  exitCode(): number | null;
  /** Stops it by a signal, SIGTERM unless another is given. Returns its exit code, null if the signal ended it. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
}

/** Starts `tdf <command>` and waits until its log says `readyMessage`. `env` is its whole environment. */
export async function startTdf(
  command: string,
  readyMessage: string,
  env: NodeJS.ProcessEnv,
): Promise<TdfProcess> {
  const child = spawn(process.execPath, [MAIN, command], { env, stdio: ["ignore", "ignore", "pipe"] });
  const ended = once(child, "exit") as Promise<[code: number | null]>;
  const ready = await new Promise<LogLine>((resolve, reject) => {
    let text = "";
    createInterface({ input: child.stderr }).on("line", (line) => {
      // A request's line is not parsed: a test may send thousands.
      if (!line.includes(`"msg":"${readyMessage}"`)) {
        if (text.length < 10_000) text += line;
        return;
      }
      resolve(JSON.parse(line) as LogLine);
    });
    ended.then(() => reject(new Error(`${command} ended before it said "${readyMessage}": ${text}`)));
  });
  return {
    ready,
    exitCode: () => child.exitCode,
    stop: async (signal = "SIGTERM") => {
      child.kill(signal);
      return (await ended)[0];
    },
  };
}
