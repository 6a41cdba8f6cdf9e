import type { ChildProcess } from "node:child_process";
import { once } from "node:events";

export interface Started {
  child: ChildProcess;
  printed: string;
  url: string;
  key: string;
}

/** Reads what a process prints, up to the last line of a start. Fails with its complaints when it ends before. */
export async function printedBy(child: ChildProcess): Promise<string> {
  let printed = "";
  let complaints = "";
  child.stderr?.on("data", (chunk) => {
    complaints += chunk;
  });
  const ended = once(child, "exit").then(() => Promise.reject(new Error(`start ended: ${complaints}`)));
  while (!/Ctrl-C/.test(printed)) {
    const [chunk] = await Promise.race([
      once(child.stdout as NonNullable<typeof child.stdout>, "data"),
      ended,
    ]);
    printed += chunk;
  }
  ended.catch(() => {});
  return printed;
}

export async function stop({ child }: Started, signal: NodeJS.Signals): Promise<number | null> {
  child.kill(signal);
  const [code] = await once(child, "exit");
  return code;
}

export const readFeed = (url: string, key: string) =>
  fetch(`${url}/v1/feeds/us_brokers/records?page_size=3`, { headers: { "X-API-Key": key } });
