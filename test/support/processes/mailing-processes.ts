import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

const SCRIPT = fileURLToPath(new URL("mailing-process.ts", import.meta.url));

/** Has so many processes queue the daily mails at the same moment; returns their exit codes. */
export async function mailInProcesses(count: number, url: string, now: string): Promise<(number | null)[]> {
  const children = Array.from({ length: count }, () => fork(SCRIPT, [url, now]));
  await Promise.all(children.map((child) => once(child, "message")));
  return Promise.all(
    children.map(async (child) => {
      const ended = once(child, "exit");
      child.send("go");
      const [code] = (await ended) as [number | null];
      return code;
    }),
  );
}
