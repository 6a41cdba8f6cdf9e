import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { openSync, readFileSync } from "node:fs";
import { createServer } from "node:net";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { promisify } from "node:util";
import { readEnvironment } from "../../../src/platform/config/config.ts";
import type { Bench } from "../../bench/frame/bench.ts";

type Settings = Record<string, string>;

/** Of every process of a peer. */
const environment = (settings: Settings): NodeJS.ProcessEnv => {
  const { PATH, HOME } = readEnvironment();
  return { PATH, HOME, NODE_ENV: "production", ...settings };
};

/** Runs a command of a peer to its end. */
export async function runInPeer(folder: string, args: readonly string[], settings: Settings): Promise<void> {
  await promisify(execFile)(process.execPath, [...args], { cwd: folder, env: environment(settings) });
}

const START_TIMEOUT_MS = 120_000;

/** Starts a peer, which ends with the run, and waits until it answers on that path. */
export async function startPeer(
  bench: Bench,
  folder: string,
  {
    args,
    settings,
    name,
    readyPath,
  }: { args: string[]; settings: Settings; name: string; readyPath: string },
): Promise<string> {
  const port = await freePort();
  const logFile = path.join(folder, `${name}.log`);
  bench.interruption.throwIfAborted();
  const child = spawn(process.execPath, args, {
    cwd: folder,
    env: environment({ ...settings, HOST: "127.0.0.1", PORT: `${port}` }),
    stdio: ["ignore", openSync(logFile, "w"), openSync(logFile, "a")],
  });
  bench.ending.defer(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, "exit");
    child.kill("SIGKILL");
    await ended;
  });
  const url = `http://127.0.0.1:${port}`;
  const deadline = performance.now() + START_TIMEOUT_MS;
  while (performance.now() < deadline && child.exitCode === null) {
    const answer = await fetch(url + readyPath).catch(() => null);
    if (answer?.ok) return url;
    await wait(100);
  }
  throw new Error(`${name} did not start: ${readFileSync(logFile, "utf8").slice(-2000)}`);
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, "close");
  return port;
}
