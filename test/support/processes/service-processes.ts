import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

const SCRIPT = fileURLToPath(new URL("service-process.ts", import.meta.url));

/** Several services on one database, each in a separate process. */
export interface ServiceProcesses {
  urls: string[];
  /** Sets the clocks of all. */
  setClocks(time: string): Promise<void>;
  /** Kills one (signal 9). */
  kill(index: number): Promise<void>;
  stop(): Promise<void>;
}

/** The last `withoutFiles` of them have no place for files of rows, so that they have no exports. */
export async function startServiceProcesses(
  count: number,
  databaseUrl: string,
  now: string,
  { withoutFiles = 0 } = {},
): Promise<ServiceProcesses> {
  const children = Array.from({ length: count }, (_, index) => {
    const files = index >= count - withoutFiles ? "without-files" : "";
    return spawn(process.execPath, [SCRIPT, databaseUrl, now, files], { stdio: ["pipe", "pipe", "inherit"] });
  });
  const urls = await Promise.all(children.map(addressOf));
  return {
    urls,
    setClocks: async (time) => {
      await Promise.all(
        children.map(async (child) => {
          child.stdin.write(`${time}\n`);
          await once(child.stdout, "data");
        }),
      );
    },
    kill: async (index) => {
      const child = children[index];
      child?.kill("SIGKILL");
      if (child) await once(child, "exit");
    },
    stop: async () => {
      const running = children.filter(({ signalCode }) => signalCode === null);
      await Promise.all(
        running.map(async (child) => {
          child.stdin.end();
          await once(child, "exit");
        }),
      );
    },
  };
}

async function addressOf(child: ChildProcess): Promise<string> {
  const [chunk] = await Promise.race([
    once(child.stdout ?? child, "data"),
    once(child, "exit").then(() => Promise.reject(new Error("a service ended before it was ready"))),
  ]);
  return String(chunk).trim();
}
