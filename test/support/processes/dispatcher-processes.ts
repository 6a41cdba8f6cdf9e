import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { TEST_SECRETS_KEY } from "../secrets.ts";
import { LOOPBACK_ENV } from "../webhooks/dispatching.ts";
import { TEST_CA_FILE } from "../webhooks/receiver.ts";

const SCRIPT = fileURLToPath(new URL("dispatcher-process.ts", import.meta.url));

/** The settings with which a process delivers to the test receivers. */
export const dispatchingEnv = (databaseUrl: string): NodeJS.ProcessEnv => ({
  PATH: process.env.PATH,
  LOG_LEVEL: "silent",
  NODE_EXTRA_CA_CERTS: TEST_CA_FILE,
  DATABASE_URL: databaseUrl,
  SECRETS_KEY: TEST_SECRETS_KEY,
  ...LOOPBACK_ENV,
});

/** A dispatcher in a separate process. */
export interface DispatcherProcess {
  /** Sends a signal: SIGKILL ends it, SIGSTOP pauses it, SIGCONT continues it. */
  signal(signal: NodeJS.Signals): void;
  /** Stops it gracefully. Returns its exit code, null if a signal ended it. */
  stop(): Promise<number | null>;
}

/** Starts one. Its clock always shows `now`, if that is given. */
export async function startDispatcherProcess(
  databaseUrl: string,
  { now, env = {} }: { now?: string; env?: NodeJS.ProcessEnv } = {},
): Promise<DispatcherProcess> {
  const child = spawn(process.execPath, [SCRIPT, ...(now === undefined ? [] : [now])], {
    env: { ...dispatchingEnv(databaseUrl), ...env },
    stdio: ["pipe", "pipe", "inherit"],
  });
  const ended = once(child, "exit") as Promise<[code: number | null]>;
  // The rejection is awaited later; until then it must not count as unhandled.
  child.stdin.on("error", () => {});
  await Promise.race([
    once(child.stdout, "data"),
    ended.then(() => Promise.reject(new Error("a dispatcher ended before it was ready"))),
  ]);
  return {
    signal: (signal) => child.kill(signal),
    stop: async () => {
      child.stdin.end();
      return (await ended)[0];
    },
  };
}
