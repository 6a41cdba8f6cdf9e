import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

/** The task of a process: admit one key many times at once, or charge several numbers of rows at once. */
export type ProcessTask =
  | { kind: "admit"; key: string; times: number }
  | { kind: "charge"; accountId: number; limit: number; rows: number[] };

const SCRIPT = fileURLToPath(new URL("accounts-process.ts", import.meta.url));

/** Runs each task in a separate process, all starting at the same moment, and returns their answers in order. */
export async function inProcesses<Answer>(
  url: string,
  now: string,
  tasks: ProcessTask[],
): Promise<Answer[][]> {
  const children = tasks.map((task) =>
    spawn(process.execPath, [SCRIPT, url, now, JSON.stringify(task)], { stdio: ["pipe", "pipe", "inherit"] }),
  );
  const ready = children.map((child) =>
    Promise.race([
      once(child.stdout, "data"),
      once(child, "exit").then(() => Promise.reject(new Error("A process ended before it was ready"))),
    ]),
  );
  await Promise.all(ready);
  return Promise.all(
    children.map(async (child) => {
      const printed = child.stdout.setEncoding("utf8").toArray();
      child.stdin.write("go\n");
      return JSON.parse((await printed).join("")) as Answer[];
    }),
  );
}
