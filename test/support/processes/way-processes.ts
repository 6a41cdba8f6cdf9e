import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

const SCRIPT = fileURLToPath(new URL("way-process.ts", import.meta.url));

/** An address that leads to one of several servers, as one that follows the primary does. */
export interface WayProcess {
  url: string;
  /** Cuts every connection. New ones lead to the first of these databases' servers that takes them. */
  leadTo(...databaseUrls: string[]): Promise<void>;
  close(): Promise<void>;
}

/** Starts a proxy before the servers of these addresses of one database. */
export async function startWay(...databaseUrls: [string, ...string[]]): Promise<WayProcess> {
  const child = fork(SCRIPT, databaseUrls);
  const ended = once(child, "exit");
  const [url] = (await once(child, "message")) as [string];
  return {
    url,
    leadTo: async (...next) => {
      const done = once(child, "message");
      child.send(next);
      await done;
    },
    close: async () => {
      if (child.connected) child.disconnect();
      await ended;
    },
  };
}
